package dev.eddyline.device.sim;

import static dev.eddyline.device.sim.Programs.ADD;
import static dev.eddyline.device.sim.Programs.MS;
import static dev.eddyline.device.sim.Programs.SMALL;
import static dev.eddyline.device.sim.Programs.read;
import static dev.eddyline.device.sim.Programs.spin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.CachingAllocator;
import dev.eddyline.device.DataType;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Stream;
import org.junit.jupiter.api.Test;

class MemoryTest {
  private static final long MB = 1 << 20;

  @Test
  void a_full_device_says_what_holds_its_memory() {
    Sim.run(
        SimOptions.defaults().withMemoryBytes(10 * MB),
        platform -> {
          Stream a = platform.device().createStream("a");
          platform.device().allocate(DataType.INT8, 6 * MB);
          a.allocate(DataType.INT8, 3 * MB);
          assertThat(platform.device().freeBytes()).isEqualTo(MB);
          assertThatThrownBy(() -> platform.device().allocate(DataType.INT8, 2 * MB))
              .hasMessage(
                  "out of memory on device 0: 0.002 GiB asked for, 0.009 of 0.010 GiB in use (0.006"
                      + " allocated plainly, 0.003 held by the stream-ordered pool, of which 0.000"
                      + " are free but not usable here yet); free buffers, or make them smaller")
              .extracting(e -> ((DeviceException) e).reason())
              .isEqualTo(Reason.OUT_OF_MEMORY);
        });
  }

  @Test
  void memory_freed_in_the_order_of_a_stream_is_used_again_there_at_once() {
    Sim.run(
        platform -> {
          Stream a = platform.device().createStream("a");
          Stream b = platform.device().createStream("b");
          Buffer first = a.allocate(DataType.INT8, MB);
          spin(a, "A", MS);
          a.free(first);
          assertThat(b.allocate(DataType.INT8, MB).address()).isNotEqualTo(first.address());
          assertThat(a.allocate(DataType.INT8, MB).address()).isEqualTo(first.address());
        });
  }

  @Test
  void on_another_stream_it_is_used_again_when_the_free_is_done() {
    Sim.run(
        platform -> {
          Stream a = platform.device().createStream("a");
          Stream b = platform.device().createStream("b");
          Buffer first = a.allocate(DataType.INT8, MB);
          spin(a, "A", MS);
          a.free(first);
          a.synchronize();
          assertThat(b.allocate(DataType.INT8, MB).address()).isEqualTo(first.address());
        });
  }

  @Test
  void where_memory_is_short_the_new_user_waits_for_the_free() {
    Sim.run(
        SimOptions.defaults().withMemoryBytes(MB),
        platform -> {
          Stream a = platform.device().createStream("a");
          Stream b = platform.device().createStream("b");
          Buffer first = a.allocate(DataType.INT8, MB);
          spin(a, "A", MS);
          a.free(first);
          b.allocate(DataType.INT8, MB);
          assertThat(b.isDone()).isFalse();
          a.synchronize();
          platform.host().sleep(MS);
          assertThat(b.isDone()).isTrue();
        });
  }

  @Test
  void freed_and_foreign_memory_is_refused() {
    Sim.run(
        platform -> {
          Stream a = platform.device().createStream("a");
          Buffer buffer = platform.device().allocate(DataType.FLOAT32, 4);
          platform.device().free(buffer);
          assertThatThrownBy(() -> platform.device().free(buffer))
              .hasMessageContaining("was freed before");
          assertThatThrownBy(() -> a.launch(ADD, SMALL, buffer, 1f))
              .hasMessageContaining("was freed before");
          Buffer pageable = platform.device().allocatePageable(DataType.FLOAT32, 4);
          assertThatThrownBy(() -> a.launch(ADD, SMALL, pageable, 1f))
              .hasMessage(
                  "argument 0 of kernel 'add' is pageable host memory, which a kernel cannot"
                      + " reach");
        });
  }

  /**
   *
   *
   * <pre>
   * owner  alloc F ── write ─ e      free F, alloc X = F, write X
   * user                └► wait  ....slow.... add F        without recordStream X is changed
   * </pre>
   */
  @Test
  void without_record_stream_a_block_is_overwritten_while_another_stream_uses_it() {
    assertThat(afterReuse(false)).isEqualTo(5 + 1);
    assertThat(afterReuse(true)).isEqualTo(5);
  }

  private static float afterReuse(boolean recorded) {
    float[] seen = new float[1];
    Sim.run(
        platform -> {
          CachingAllocator allocator = new CachingAllocator(platform.device());
          Stream owner = platform.device().createStream("owner");
          Stream user = platform.device().createStream("user");
          Buffer first = allocator.allocate(DataType.FLOAT32, 4, owner);
          owner.fill(first, 0);
          user.waitFor(owner);
          spin(user, "slow", MS);
          user.launch(ADD, SMALL, first, 1f);
          if (recorded) {
            allocator.recordStream(first, user);
          }
          allocator.free(first);
          Buffer second = allocator.allocate(DataType.FLOAT32, 4, owner);
          owner.fill(second, 0);
          owner.launch(ADD, SMALL, second, 5f);
          platform.device().synchronize();
          seen[0] = read(platform, owner, second)[0];
        });
    return seen[0];
  }

  @Test
  void the_allocator_keeps_blocks_until_it_is_emptied_or_memory_is_short() {
    Sim.run(
        SimOptions.defaults().withMemoryBytes(4 * MB),
        platform -> {
          CachingAllocator allocator = new CachingAllocator(platform.device());
          Stream a = platform.device().createStream("a");
          Buffer first = allocator.allocate(DataType.INT8, 3 * MB, a);
          assertThat(allocator.allocatedBytes()).isEqualTo(3 * MB);
          allocator.free(first);
          assertThat(allocator.allocatedBytes()).isZero();
          assertThat(allocator.reservedBytes()).isEqualTo(3 * MB);
          assertThat(allocator.allocate(DataType.INT8, 2 * MB, a).address())
              .isEqualTo(first.address());
          allocator.free(first);
          allocator.allocate(DataType.INT8, 4 * MB, a);
          assertThat(allocator.reservedBytes()).isEqualTo(4 * MB);
          assertThatThrownBy(() -> allocator.free(first))
              .hasMessageContaining("not one that the allocator handed out");
        });
  }
}
