package dev.eddyline.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.Stream;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two processes, each a rank, on one GPU, with garbage collections beside their collectives. */
@Tag("gpu")
@Tag("group-gc")
@Timeout(90)
class GpuGarbageTest {
  private static final long SECONDS = Long.getLong("eddyline.gc.seconds", 15);

  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicInteger collections = new AtomicInteger();

  private void collectGarbage() {
    byte[][] kept = new byte[64][];
    for (int i = 0; !over.get(); i++) {
      kept[i % kept.length] = new byte[1 << 20];
      System.gc();
      collections.incrementAndGet();
    }
  }

  @Test
  void garbage_collections_beside_collectives_neither_hang_them_nor_change_numbers() {
    GpuRank here = GpuRank.ofEnvironment();
    Device device = here.platform().device();
    ProcessGroup world = here.join("world");
    Stream compute = device.createStream("compute");
    Buffer buffer = device.allocate(DataType.FLOAT32, 1 << 16);
    Thread collector = new Thread(this::collectGarbage, "collector");
    collector.setDaemon(true);
    int steps = 0;
    try (Device.Scope scope = device.use(compute)) {
      collector.start();
      long begin = System.nanoTime();
      while (goesOn(here, steps, begin)) {
        step(world, compute, buffer, steps);
        steps++;
      }
    }
    over.set(true);
    here.say("%d steps of 4 collectives beside %d System.gc()", steps, collections.get());
    assertThat(steps).isGreaterThan(5);
    assertThat(collections.get()).isGreaterThan(50);
    world.close();
  }

  /** Rank 0's clock decides for both. */
  private static boolean goesOn(GpuRank here, int step, long begin) {
    if (here.rank() == 0) {
      boolean on = System.nanoTime() - begin < SECONDS * 1_000_000_000L;
      here.store().set("gc/" + step, new byte[] {(byte) (on ? 1 : 0)});
      return on;
    }
    return here.store().get("gc/" + step, 60_000_000_000L)[0] == 1;
  }

  private static void step(ProcessGroup world, Stream compute, Buffer buffer, int step) {
    float own = 1 + world.rank();
    Buffer values = Jobs.floats(world.device(), own, own * 2);
    Buffer all = Jobs.floats(world.device(), 0, 0, 0, 0);
    world
        .coalesce(
            block -> {
              block.allReduce(values);
              block.allReduce(buffer);
            })
        .waitOnStream();
    Buffer ran =
        world
            .allGather(values, all)
            .future()
            .thenWhenDone(compute, results -> results.get(0))
            .waitBlocking();
    assertThat(Jobs.read(compute, java.util.Objects.requireNonNull(ran)))
        .as("step %d", step)
        .containsExactly(3, 6, 3, 6);
    world.broadcast(values, step % 2).waitBlocking();
    world.device().free(values);
    world.device().free(all);
  }
}
