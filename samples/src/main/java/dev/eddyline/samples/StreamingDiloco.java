package dev.eddyline.samples;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.Device;
import dev.eddyline.device.Platform;
import dev.eddyline.group.Fragment;
import dev.eddyline.group.FragmentOptions;
import dev.eddyline.group.ProcessGroup;
import dev.eddyline.marks.Marks;
import java.util.Arrays;
import java.util.List;

/**
 * Two fragments of a model that are averaged in turn while training goes on.
 *
 * <pre>
 *   right    differences are copied out, all that needs the mean is on the fragment's stream
 *   sync     the host syncs the fragment's stream in every preparation, "so that the copy is done":
 *            behind the copy there is the wait for the all-reduce
 *   no-copy  the parameters themselves are reduced while training goes on changing them
 * </pre>
 */
final class StreamingDiloco implements Story {
  private static final int EVERY = 4;
  private static final int DELAY = 2;
  private static final float MOVE = 0.5f;
  private static final long US = 1_000;

  @Override
  public String name() {
    return "streaming-diloco";
  }

  @Override
  public String about() {
    return "fragments of a model that are averaged while the rest trains";
  }

  @Override
  public List<String> variants() {
    return List.of("right", "sync", "no-copy");
  }

  @Override
  public int steps() {
    return 16;
  }

  /** Which fragment is prepared in a step, or -1; each is performed {@value #DELAY} steps later. */
  private static int prepared(int step) {
    return step % EVERY == 0 ? 0 : step % EVERY == EVERY / 2 ? 1 : -1;
  }

  @Override
  public Numbers run(Platform platform, String variant, int steps) {
    Lab lab = new Lab(platform);
    Buffer[] parameters = {lab.zeroes(), lab.zeroes()};
    FragmentOptions how = FragmentOptions.defaults().withOptimiser(1, 0);
    try (ProcessGroup world = ProcessGroup.join(platform, "world");
        Device.Scope current = lab.device.use(lab.compute)) {
      Fragment[] fragments = new Fragment[2];
      for (int i = 0; i < 2; i++) {
        fragments[i] = new Fragment(world, "fragment-" + i, parameters[i], how);
      }
      boolean copies = !variant.equals("no-copy");
      for (int step = 0; step < steps; step++) {
        try (Marks.Scope mark = Marks.step("step" + step)) {
          int due = step >= DELAY ? prepared(step - DELAY) : -1;
          if (copies && due >= 0) {
            fragments[due].perform();
          }
          train(lab, parameters);
          int next = prepared(step);
          if (next >= 0 && copies) {
            fragments[next].prepare();
            if (variant.equals("sync")) {
              fragments[next].stream().synchronize();
            }
          } else if (next >= 0) {
            averageInPlace(lab, world, fragments[next], parameters[next]);
          }
        }
      }
      float[] numbers = lab.readAtEnd(lab.compute, parameters[0]);
      float expected = expected(world.rank(), world.size(), steps);
      return Numbers.compare(numbers, expected, 0);
    }
  }

  private static void train(Lab lab, Buffer[] parameters) {
    long nanos = (100 + 200L * lab.platform.rank()) * US;
    for (Buffer each : parameters) {
      float by = MOVE * (1 + lab.platform.rank());
      lab.compute.launch(Kernels.TRAIN, Lab.GRID, each, by, nanos, each.count());
    }
  }

  /** Without a copy the all-reduce reads what the next steps write. */
  private static void averageInPlace(
      Lab lab, ProcessGroup world, Fragment fragment, Buffer parameters) {
    fragment.stream().waitFor(lab.compute);
    try (Device.Scope own = lab.device.use(fragment.stream())) {
      world.allReduce(parameters).waitOnStream();
    }
    lab.divide(fragment.stream(), parameters, world.size());
  }

  /** Fragment 0 by plain arithmetic, on one of the ranks. */
  private static float expected(int own, int ranks, int steps) {
    float[] local = new float[ranks];
    float global = 0;
    float next = 0;
    for (int step = 0; step < steps; step++) {
      if (step >= DELAY && prepared(step - DELAY) == 0) {
        global = next;
        Arrays.fill(local, global);
      }
      float sum = 0;
      for (int rank = 0; rank < ranks; rank++) {
        local[rank] += MOVE * (1 + rank);
        sum += global - local[rank];
      }
      if (prepared(step) == 0) {
        next = global - sum * (1f / ranks);
      }
    }
    return local[own];
  }
}
