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

/**
 * Adam with its state spread over the ranks: gradients of two buckets are reduced and scattered in
 * one group, every rank updates its shard, and the parameters are gathered again.
 *
 * <pre>
 *   right        the update waits for the block's Work
 *   no-handle    the group gave no handle, so that the update waits for nothing
 *   early-event  the handle's event was recorded before the group's end
 * </pre>
 */
final class DistributedAdam implements Story {
  private static final int BUCKETS = 2;
  private static final double ROUNDING = 1e-4;

  @Override
  public String name() {
    return "distributed-adam";
  }

  @Override
  public String about() {
    return "an optimiser whose numbers go wrong without a true handle of the group";
  }

  @Override
  public List<String> variants() {
    return List.of("right", "no-handle", "early-event");
  }

  @Override
  public int steps() {
    return 6;
  }

  @Override
  public Numbers run(Platform platform, String variant, int steps) {
    Lab lab = new Lab(platform);
    int ranks = platform.worldSize();
    long shard = Lab.SIZE / ranks;
    Scatter scatter =
        variant.equals("right")
            ? new ByGroup(ProcessGroup.join(platform, "world"))
            : new ByLibrary(lab, variant.equals("early-event"));
    Bucket[] buckets = new Bucket[BUCKETS];
    for (int i = 0; i < BUCKETS; i++) {
      buckets[i] = new Bucket(lab, shard, ranks);
    }
    try (Device.Scope current = lab.device.use(lab.compute)) {
      for (int step = 0; step < steps; step++) {
        try (Marks.Scope mark = Marks.step("step" + step)) {
          for (int i = 0; i < BUCKETS; i++) {
            lab.backward(buckets[i].gradient, gradient(platform.rank(), step, i));
          }
          scatter.reduceScatter(buckets);
          for (Bucket bucket : buckets) {
            bucket.update(lab, step + 1);
          }
          scatter.allGather(buckets);
        }
      }
      float[] numbers = lab.readAtEnd(lab.compute, buckets[1].parameters);
      scatter.close();
      return Numbers.compare(numbers, expected(ranks, steps, 1), ROUNDING);
    }
  }

  private static float gradient(int rank, int step, int bucket) {
    float size = Lab.gradient(rank, step + bucket);
    return step % 3 == 2 ? -size : size;
  }

  private static float expected(int ranks, int steps, int bucket) {
    float[] state = new float[3];
    for (int step = 0; step < steps; step++) {
      float sum = 0;
      for (int rank = 0; rank < ranks; rank++) {
        sum += gradient(rank, step, bucket);
      }
      Kernels.adam(state, sum, step + 1);
    }
    return state[0];
  }

  /** A part of the model, and this rank's shard of it. */
  private static final class Bucket {
    private final Buffer parameters;
    private final Buffer gradient;
    private final Buffer own;
    private final Buffer ownGradient;
    private final Buffer first;
    private final Buffer second;

    Bucket(Lab lab, long shard, int ranks) {
      parameters = lab.zeroes(shard * ranks);
      gradient = lab.zeroes(shard * ranks);
      own = lab.zeroes(shard);
      ownGradient = lab.zeroes(shard);
      first = lab.zeroes(shard);
      second = lab.zeroes(shard);
    }

    void update(Lab lab, int step) {
      lab.compute.launch(
          Kernels.ADAM, Lab.GRID, own, ownGradient, first, second, step, own.count());
    }
  }

  /** How the ranks exchange shards. */
  private interface Scatter {
    void reduceScatter(Bucket[] buckets);

    void allGather(Bucket[] buckets);

    void close();
  }

  /** With the process group. */
  private record ByGroup(ProcessGroup world) implements Scatter {
    @Override
    public void reduceScatter(Bucket[] buckets) {
      world
          .coalesce(
              block -> {
                for (Bucket bucket : buckets) {
                  block.reduceScatter(bucket.gradient, bucket.ownGradient);
                }
              })
          .waitOnStream();
    }

    @Override
    public void allGather(Bucket[] buckets) {
      world
          .coalesce(
              block -> {
                for (Bucket bucket : buckets) {
                  block.allGather(bucket.own, bucket.parameters);
                }
              })
          .waitOnStream();
    }

    @Override
    public void close() {
      world.close();
    }
  }

  /** With the collective library and a mistake; the gather is right. */
  private static final class ByLibrary implements Scatter {
    private final Lab lab;
    private final boolean early;
    private final Communicator world;
    private final Stream nccl;
    private final Event done;

    ByLibrary(Lab lab, boolean early) {
      this.lab = lab;
      this.early = early;
      this.world = lab.rawWorld();
      this.nccl = lab.stream("nccl", "nccl");
      this.done = lab.device.createEvent("work");
    }

    @Override
    public void reduceScatter(Bucket[] buckets) {
      lab.order(nccl, lab.compute);
      lab.platform.collectives().groupStart();
      for (Bucket bucket : buckets) {
        world.reduceScatter(bucket.gradient, bucket.ownGradient, ReduceOp.SUM, nccl);
      }
      if (early) {
        nccl.record(done);
      }
      lab.platform.collectives().groupEnd();
      if (early) {
        lab.compute.waitFor(done);
      }
    }

    @Override
    public void allGather(Bucket[] buckets) {
      lab.order(nccl, lab.compute);
      lab.platform.collectives().groupStart();
      for (Bucket bucket : buckets) {
        world.allGather(bucket.own, bucket.parameters, nccl);
      }
      lab.platform.collectives().groupEnd();
      lab.order(lab.compute, nccl);
    }

    @Override
    public void close() {
      world.close();
    }
  }
}
