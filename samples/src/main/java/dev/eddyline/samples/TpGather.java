package dev.eddyline.samples;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.CachingAllocator;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.Platform;
import dev.eddyline.device.Stream;
import dev.eddyline.group.CollectiveOptions;
import dev.eddyline.group.ProcessGroup;
import dev.eddyline.group.TensorParallelGather;
import dev.eddyline.group.Work;
import dev.eddyline.marks.Marks;
import java.util.List;
import java.util.function.Consumer;

/**
 * Weights that are spread over the ranks are gathered layer by layer on a stream of their own, into
 * memory of a caching allocator.
 *
 * <pre>
 *   right   the allocator is told that the compute stream reads the memory
 *   event   the gather stream waits for the compute stream before the memory is freed
 *   broken  neither: the next gather overwrites what the layer still reads
 * </pre>
 */
final class TpGather implements Story {
  /** Longer than a gather takes between processes that share a GPU. */
  private static final long LAYER_NANOS = 20_000_000;

  @Override
  public String name() {
    return "tp-gather";
  }

  @Override
  public String about() {
    return "gathered weights, and how long their memory must live";
  }

  @Override
  public List<String> variants() {
    return List.of("right", "event", "broken");
  }

  @Override
  public int steps() {
    return 6;
  }

  private static float weight(int rank, int layer) {
    return 1 + layer * 10 + rank;
  }

  @Override
  public Numbers run(Platform platform, String variant, int steps) {
    Lab lab = new Lab(platform);
    int ranks = platform.worldSize();
    long part = Lab.SIZE / ranks;
    CachingAllocator allocator = new CachingAllocator(lab.device);
    try (ProcessGroup world = ProcessGroup.join(platform, "world");
        TensorParallelGather tensor = new TensorParallelGather(world, allocator);
        Device.Scope current = lab.device.use(lab.compute)) {
      Buffer sum = lab.zeroes(part * ranks);
      Buffer[] shards = new Buffer[steps];
      for (int layer = 0; layer < steps; layer++) {
        shards[layer] = lab.zeroes(part);
        float value = weight(world.rank(), layer);
        lab.compute.launch(Kernels.BACKWARD, Lab.GRID, shards[layer], value, 1_000L, part);
      }
      lab.order(tensor.stream(), lab.compute);
      Gathers gathers = new Gathers(lab, world, tensor, allocator, variant);
      for (int layer = 0; layer < steps; layer++) {
        try (Marks.Scope mark = Marks.step("layer" + layer)) {
          gathers.run(shards[layer], whole -> layer(lab, whole, sum));
        }
      }
      return Numbers.compare(lab.readAtEnd(lab.compute, sum), expected(ranks, part, steps), 0);
    }
  }

  private static void layer(Lab lab, Buffer weights, Buffer sum) {
    lab.compute.launch(Kernels.LAYER, Lab.GRID, weights, sum, LAYER_NANOS, sum.count());
  }

  private static float[] expected(int ranks, long part, int layers) {
    float[] sums = new float[(int) part * ranks];
    for (int i = 0; i < sums.length; i++) {
      for (int layer = 0; layer < layers; layer++) {
        sums[i] += weight(i / (int) part, layer);
      }
    }
    return sums;
  }

  /** One layer's weights at a time, in one of the three ways. */
  private record Gathers(
      Lab lab,
      ProcessGroup world,
      TensorParallelGather tensor,
      CachingAllocator allocator,
      String variant) {

    void run(Buffer shard, Consumer<Buffer> use) {
      // Not behind the compute stream: the shards are ready, and gathering shall run ahead.
      Stream gather = tensor.stream();
      if (variant.equals("right")) {
        TensorParallelGather.Gathered gathered;
        try (Device.Scope ahead = lab.device.use(gather)) {
          gathered = tensor.gather(shard);
        }
        try (gathered) {
          use.accept(gathered.waitOnStream());
        }
        return;
      }
      Buffer whole = allocator.allocate(DataType.FLOAT32, shard.count() * world.size(), gather);
      Work work;
      try (Device.Scope ahead = lab.device.use(gather)) {
        work = world.allGather(shard, whole, CollectiveOptions.defaults().withStream(gather));
      }
      work.waitOnStream();
      use.accept(whole);
      if (variant.equals("event")) {
        lab.order(gather, lab.compute);
      }
      allocator.free(whole);
    }
  }
}
