package dev.eddyline.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.device.Host;
import dev.eddyline.device.HostThread;
import dev.eddyline.device.Signal;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PeersTest {
  private static final String HERE = "127.0.0.1";
  private static final long SECONDS = 1_000_000_000L;

  private final TcpStore server = TcpStore.serve(HERE, 0);

  /** Real time; no threads. */
  private static final class Clock implements Host {
    @Override
    public long nanoTime() {
      return System.nanoTime();
    }

    @Override
    public void work(long nanos) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void sleep(long nanos) {
      java.util.concurrent.locks.LockSupport.parkNanos(nanos);
    }

    @Override
    public HostThread start(String name, Runnable body) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Signal signal() {
      throw new UnsupportedOperationException();
    }
  }

  private TcpStore store(int rank) {
    Map<String, String> environment =
        Map.of("MASTER_ADDR", HERE, "MASTER_PORT", "" + server.port(), "RANK", "" + rank);
    return TcpStore.fromEnvironment(environment, 10 * SECONDS);
  }

  private static Peers peers(int rank, TcpStore store) {
    return new Peers("world/2", rank, 3, store, new Clock());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void a_rank_that_is_gone_is_told_from_those_that_are_late_by_its_place_in_the_job() {
    try (TcpStore first = store(4);
        TcpStore second = store(5);
        TcpStore third = store(6)) {
      Peers zero = peers(0, first);
      Peers two = peers(2, third);
      zero.introduce();
      peers(1, second).introduce();
      two.introduce();
      second.breakOff();
      assertThat(server.get(TcpStore.GONE + 5, 10 * SECONDS)).hasSize(1);
      long start = System.nanoTime();
      assertThat(zero.others("all-reduce #3", other -> true, start + 30 * SECONDS))
          .isEqualTo(" Rank 1 is gone: its connection to the job's store broke.");
      assertThat(System.nanoTime() - start).isLessThan(10 * SECONDS);
      assertThat(two.others("all-reduce #3", other -> other == 0, 0))
          .isEqualTo(" Rank 0 gives no sign of waiting too: gone, or late.");
    }
  }

  @Test
  void ranks_that_wait_elsewhere_are_named_with_what_they_wait_in() {
    try (TcpStore first = store(4);
        TcpStore second = store(5)) {
      Peers zero = peers(0, first);
      zero.announce("all-reduce #3");
      peers(1, second).announce("all-gather #0");
      peers(2, second).announce("all-reduce #3");
      assertThat(zero.others("all-reduce #3", other -> true, 0))
          .isEqualTo(" Rank 1 waits in all-gather #0 instead.");
      assertThat(peers(2, second).others("all-reduce #3", other -> other == 0, 0)).isEmpty();
    }
  }

  @Test
  void without_the_store_nobody_can_be_asked() {
    try (TcpStore first = store(1)) {
      server.close();
      assertThat(peers(1, first).others("all-reduce #3", other -> true, 0))
          .startsWith(" The store does not answer (the store of rank 0 at " + HERE)
          .endsWith("), so the other ranks cannot be asked.");
    }
  }
}
