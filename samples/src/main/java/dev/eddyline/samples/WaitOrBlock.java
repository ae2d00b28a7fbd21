package dev.eddyline.samples;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.Device;
import dev.eddyline.device.Platform;
import dev.eddyline.group.CollectiveOptions;
import dev.eddyline.group.ProcessGroup;
import dev.eddyline.group.Work;
import dev.eddyline.marks.Marks;
import java.util.List;

/**
 * Five ways to go on after an all-reduce. All give the right numbers; two of them hold the host.
 *
 * <pre>
 *   wait            the stream waits, the host goes on
 *   overlap         the same, with other work launched before the wait
 *   block           the host waits in an event sync
 *   poll            the host asks again and again, as a wait with a timeout does
 *   current-stream  async = false: nothing waits, the collective is in the stream's order
 * </pre>
 */
final class WaitOrBlock implements Story {
  private static final float RATE = 0.5f;
  private static final long OTHER_WORK = 400_000;
  private static final long LONG = 60_000_000_000L;

  @Override
  public String name() {
    return "wait-or-block";
  }

  @Override
  public String about() {
    return "who waits for an all-reduce, the stream or the host";
  }

  @Override
  public List<String> variants() {
    return List.of("wait", "overlap", "current-stream", "block", "poll");
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
    Buffer other = lab.zeroes();
    try (ProcessGroup world = ProcessGroup.join(platform, "world");
        Device.Scope current = lab.device.use(lab.compute)) {
      for (int step = 0; step < steps; step++) {
        try (Marks.Scope mark = Marks.step("step" + step)) {
          lab.backward(gradient, Lab.gradient(world.rank(), step));
          if (variant.equals("current-stream")) {
            world.allReduce(gradient, CollectiveOptions.onCurrentStream());
          } else {
            Work work = world.allReduce(gradient);
            if (variant.equals("overlap")) {
              lab.compute.launch(Kernels.TRAIN, Lab.GRID, other, 1f, OTHER_WORK, other.count());
            }
            switch (variant) {
              case "block" -> work.waitBlocking();
              case "poll" -> work.waitBlocking(LONG);
              default -> work.waitOnStream();
            }
          }
          lab.descend(lab.compute, parameters, gradient, RATE);
        }
      }
      return Numbers.compare(
          lab.readAtEnd(lab.compute, parameters), expected(world.size(), steps), 0);
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
