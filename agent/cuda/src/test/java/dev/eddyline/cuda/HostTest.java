package dev.eddyline.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eddyline.device.DeviceException;
import dev.eddyline.device.Signal;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class HostTest {
  private final CudaHost host = new CudaHost();

  @Test
  void a_thread_that_throws_throws_at_the_join() {
    var thread =
        host.start(
            "broken",
            () -> {
              throw new IllegalStateException("out of coffee");
            });

    assertThatThrownBy(thread::join)
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("thread 'broken' failed")
        .hasMessageContaining("out of coffee");
    assertThat(thread.isDone()).isTrue();
  }

  @Test
  void a_signal_wakes_who_waits() {
    AtomicBoolean ready = new AtomicBoolean();
    Signal signal = host.signal();
    var thread =
        host.start(
            "sets it",
            () -> {
              ready.set(true);
              signal.wake();
            });

    assertThat(signal.await(ready::get, Signal.FOREVER)).isTrue();
    thread.join();
    assertThat(signal.await(() -> false, 1_000_000)).isFalse();
  }

  @Test
  void a_store_gives_what_was_set_adds_and_says_what_is_missing() {
    LocalStore store = new LocalStore();
    store.set("a", new byte[] {1});

    assertThat(store.get("a", 0)).containsExactly(1);
    assertThat(store.add("n", 2)).isEqualTo(2);
    assertThat(store.add("n", 3)).isEqualTo(5);
    assertThatThrownBy(() -> store.get("b", 2_000_000)).hasMessage("no rank set 'b' within 2 ms");
  }
}
