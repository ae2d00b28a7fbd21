package dev.eddyline.samples;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.Event;
import dev.eddyline.device.HostBuffer;
import dev.eddyline.device.Platform;
import dev.eddyline.group.ProcessGroup;
import dev.eddyline.group.RecoveryStream;
import dev.eddyline.group.Work;
import dev.eddyline.marks.Marks;
import java.util.List;

/**
 * State is fetched to the host on a stream of its own while gradients are reduced.
 *
 * <pre>
 *   right   the copy waits for a mark set before the compute stream was told to wait
 *   behind  the copy waits for the compute stream as it is, which waits for the all-reduce; so the
 *           sync of the recovery stream waits for a collective that it has nothing to do with
 * </pre>
 */
final class RecoveryFetch implements Story {
  private static final float RATE = 0.5f;

  /** Longer than an all-reduce takes between processes that share a GPU. */
  private static final long LOADING = 40_000_000;

  private static final long BOOKKEEPING = 100_000;

  @Override
  public String name() {
    return "recovery-stream";
  }

  @Override
  public String about() {
    return "a sync of the recovery stream that waits for a collective";
  }

  @Override
  public List<String> variants() {
    return List.of("right", "behind");
  }

  @Override
  public int steps() {
    return 4;
  }

  @Override
  public Numbers run(Platform platform, String variant, int steps) {
    Lab lab = new Lab(platform);
    Buffer parameters = lab.zeroes();
    Buffer gradient = lab.zeroes();
    HostBuffer fetched = lab.device.allocatePinned(DataType.FLOAT32, Lab.SIZE);
    float worst = 0;
    try (ProcessGroup world = ProcessGroup.join(platform, "world");
        RecoveryStream recovery = new RecoveryStream(lab.device);
        Device.Scope current = lab.device.use(lab.compute)) {
      for (int step = 0; step < steps; step++) {
        platform.host().work(LOADING);
        try (Marks.Scope mark = Marks.step("step" + step)) {
          Event consistent = recovery.mark();
          lab.backward(gradient, Lab.gradient(world.rank(), step));
          Work work = world.allReduce(gradient);
          work.waitOnStream();
          if (variant.equals("behind")) {
            // The same call with a mark that comes too late.
            consistent.close();
            consistent = recovery.mark();
          }
          try (RecoveryStream.Snapshot snapshot = recovery.fetch(parameters, fetched, consistent)) {
            snapshot.waitOnStream();
            lab.descend(lab.compute, parameters, gradient, RATE);
            platform.host().work(BOOKKEEPING);
            recovery.stream().synchronize();
          }
          worst = Math.max(worst, Math.abs(fetched.getFloat(0) - expected(world.size(), step)));
        }
      }
      float[] numbers = lab.readAtEnd(lab.compute, parameters);
      Numbers last = Numbers.compare(numbers, expected(world.size(), steps), 0);
      return new Numbers(Math.max(worst, last.worst()), 0);
    }
  }

  private static float expected(int ranks, int steps) {
    float parameter = 0;
    for (int step = 0; step < steps; step++) {
      parameter -= RATE * Lab.sumOfGradients(ranks, step);
    }
    return parameter;
  }
}
