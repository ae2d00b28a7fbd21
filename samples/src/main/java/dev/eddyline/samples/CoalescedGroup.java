package dev.eddyline.samples;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.Communicator;
import dev.eddyline.device.Device;
import dev.eddyline.device.Event;
import dev.eddyline.device.Platform;
import dev.eddyline.device.ReduceOp;
import dev.eddyline.device.Stream;
import dev.eddyline.group.ProcessGroup;
import dev.eddyline.marks.Marks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Two all-reduces in one group.
 *
 * <pre>
 *   right        a block of the process group; its one Work covers both
 *   no-handle    the group is launched, but nobody has anything to wait for
 *   early-event  the event is recorded before the group's end: it covers none of the work
 *   nested       each all-reduce closes its own group and records behind it, but an outer group is
 *                still open, so that nothing was enqueued yet
 * </pre>
 */
final class CoalescedGroup implements Story {
  private static final float RATE = 0.5f;

  @Override
  public String name() {
    return "coalescing";
  }

  @Override
  public String about() {
    return "several collectives in one group, and the handle that covers them";
  }

  @Override
  public List<String> variants() {
    return List.of("right", "no-handle", "early-event", "nested");
  }

  @Override
  public int steps() {
    return 4;
  }

  @Override
  public Numbers run(Platform platform, String variant, int steps) {
    Lab lab = new Lab(platform);
    Buffer parameters = lab.zeroes();
    Buffer weights = lab.zeroes();
    Buffer biases = lab.zeroes();
    ProcessGroup world = null;
    Raw raw = null;
    if (variant.equals("right")) {
      world = ProcessGroup.join(platform, "world");
    } else {
      raw = new Raw(lab);
    }
    try (Device.Scope current = lab.device.use(lab.compute)) {
      for (int step = 0; step < steps; step++) {
        try (Marks.Scope mark = Marks.step("step" + step)) {
          lab.backward(weights, Lab.gradient(platform.rank(), step));
          lab.backward(biases, Lab.gradient(platform.rank(), step + 1));
          if (world != null) {
            world
                .coalesce(
                    block -> {
                      block.allReduce(weights);
                      block.allReduce(biases);
                    })
                .waitOnStream();
          } else if (raw != null) {
            raw.reduce(variant, weights, biases);
          }
          lab.descend(lab.compute, parameters, weights, RATE);
          lab.descend(lab.compute, parameters, biases, RATE);
        }
      }
      float[] numbers = lab.readAtEnd(lab.compute, parameters);
      close(world);
      return Numbers.compare(numbers, expected(platform.worldSize(), steps), 0);
    }
  }

  private static void close(@Nullable ProcessGroup world) {
    if (world != null) {
      world.close();
    }
  }

  private static float expected(int ranks, int steps) {
    float parameter = 0;
    for (int step = 0; step < steps; step++) {
      parameter -= RATE * Lab.sumOfGradients(ranks, step);
      parameter -= RATE * Lab.sumOfGradients(ranks, step + 1);
    }
    return parameter;
  }

  /** The broken orders, with the collective library itself. */
  private static final class Raw {
    private final Lab lab;
    private final Communicator world;
    private final Stream nccl;
    private final Event done;

    Raw(Lab lab) {
      this.lab = lab;
      this.world = lab.rawWorld();
      this.nccl = lab.stream("nccl", "nccl");
      this.done = lab.device.createEvent("work");
    }

    void reduce(String variant, Buffer a, Buffer b) {
      lab.order(nccl, lab.compute);
      lab.platform.collectives().groupStart();
      if (variant.equals("nested")) {
        inGroupOfItsOwn(a);
        inGroupOfItsOwn(b);
      } else {
        world.allReduce(a, a, ReduceOp.SUM, nccl);
        world.allReduce(b, b, ReduceOp.SUM, nccl);
      }
      if (variant.equals("early-event")) {
        nccl.record(done);
      }
      lab.platform.collectives().groupEnd();
      if (!variant.equals("no-handle")) {
        lab.compute.waitFor(done);
      }
    }

    /** Looks complete: group, launch, event. It is, unless somebody calls it within a group. */
    private void inGroupOfItsOwn(Buffer buffer) {
      lab.platform.collectives().groupStart();
      world.allReduce(buffer, buffer, ReduceOp.SUM, nccl);
      lab.platform.collectives().groupEnd();
      nccl.record(done);
    }
  }
}
