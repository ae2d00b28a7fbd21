package dev.eddyline.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TcpStoreTest {
  private static final String HERE = "127.0.0.1";
  private static final long SECONDS = 1_000_000_000L;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void all_clients_see_what_one_sets() {
    try (TcpStore server = TcpStore.serve(HERE, 0);
        TcpStore client = TcpStore.connect(HERE, server.port(), 10 * SECONDS)) {
      server.set("a", bytes("1"));
      assertThat(client.get("a", 0)).isEqualTo(bytes("1"));
      client.set("a", bytes("zwei"));
      client.set("empty", new byte[0]);
      assertThat(server.get("a", 0)).isEqualTo(bytes("zwei"));
      assertThat(server.get("empty", 0)).isEmpty();
    }
  }

  @Test
  void a_get_waits_until_the_value_is_set() {
    try (TcpStore server = TcpStore.serve(HERE, 0);
        TcpStore client = TcpStore.connect(HERE, server.port(), 10 * SECONDS)) {
      CompletableFuture<byte[]> waits =
          CompletableFuture.supplyAsync(() -> client.get("late", 30 * SECONDS));
      server.set("other", bytes("x"));
      server.set("late", bytes("now"));
      assertThat(waits.join()).isEqualTo(bytes("now"));
    }
  }

  @Test
  void a_get_that_runs_out_names_the_key_and_the_connection_goes_on() {
    try (TcpStore server = TcpStore.serve(HERE, 0)) {
      assertThatThrownBy(() -> server.get("never", 2_000_000))
          .isInstanceOf(DeviceException.class)
          .hasMessage("waited 2.000 ms for key 'never' of the store, and no rank set it")
          .extracting(e -> ((DeviceException) e).reason())
          .isEqualTo(Reason.TIMEOUT);
      server.set("still", bytes("here"));
      assertThat(server.get("still", 0)).isEqualTo(bytes("here"));
    }
  }

  private static Map<String, String> environment(int rank, int port) {
    return Map.of("MASTER_ADDR", HERE, "MASTER_PORT", "" + port, "RANK", "" + rank);
  }

  @Test
  void a_rank_whose_connection_breaks_is_gone_and_one_that_closes_is_not() throws IOException {
    try (TcpStore server = TcpStore.serve(HERE, 0)) {
      TcpStore one = TcpStore.fromEnvironment(environment(1, server.port()), 10 * SECONDS);
      TcpStore two = TcpStore.fromEnvironment(environment(2, server.port()), 10 * SECONDS);
      two.close();
      one.breakOff();
      assertThat(server.get(TcpStore.GONE + 1, 10 * SECONDS)).hasSize(1);
      assertThatThrownBy(() -> server.get(TcpStore.GONE + 2, 0))
          .isInstanceOf(DeviceException.class);
    }
  }

  @Test
  void additions_of_all_clients_add_up() {
    try (TcpStore server = TcpStore.serve(HERE, 0)) {
      List<CompletableFuture<Void>> clients = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        clients.add(
            CompletableFuture.runAsync(
                () -> {
                  try (TcpStore client = TcpStore.connect(HERE, server.port(), 10 * SECONDS)) {
                    for (int n = 0; n < 50; n++) {
                      client.add("sum", 2);
                    }
                  }
                }));
      }
      clients.forEach(CompletableFuture::join);
      assertThat(server.add("sum", 0)).isEqualTo(400);
    }
  }

  @Test
  void what_does_not_fit_is_refused() {
    try (TcpStore server = TcpStore.serve(HERE, 0)) {
      server.set("text", bytes("no number"));
      assertThatThrownBy(() -> server.add("text", 1))
          .hasMessage("the store refuses key 'text': its value is no number");
      assertThatThrownBy(() -> server.set("", new byte[1]))
          .hasMessage("a key of 0 bytes; it has 1 to 1024");
      assertThatThrownBy(() -> server.get("k".repeat(1025), 0))
          .hasMessage("a key of 1025 bytes; it has 1 to 1024");
      assertThatThrownBy(() -> server.set("big", new byte[(1 << 20) + 1]))
          .hasMessage("a value of 1048577 bytes; the store takes up to 1048576");
      assertThat(server.add("number", 5)).isEqualTo(5);
    }
  }

  @Test
  void nobody_at_the_port_is_a_clear_error() throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HERE))) {
      free = socket.getLocalPort();
    }
    assertThatThrownBy(() -> TcpStore.connect(HERE, free, 200_000_000))
        .hasMessageStartingWith("no store answers at 127.0.0.1:" + free + " after 200.000 ms (")
        .hasMessageEndingWith(
            "is rank 0 running, and do MASTER_ADDR and MASTER_PORT name its machine?");
  }

  @Test
  void a_port_in_use_is_a_clear_error() {
    try (TcpStore server = TcpStore.serve(HERE, 0)) {
      assertThatThrownBy(() -> TcpStore.serve(HERE, server.port()))
          .hasMessageStartingWith("rank 0 cannot serve the store at 127.0.0.1:" + server.port())
          .hasMessageEndingWith("is MASTER_ADDR an address of this machine, and the port free?");
    }
  }

  @Test
  void a_server_that_is_gone_is_a_clear_error() {
    try (TcpStore server = TcpStore.serve(HERE, 0);
        TcpStore client = TcpStore.connect(HERE, server.port(), 10 * SECONDS)) {
      server.close();
      assertThatThrownBy(() -> client.get("x", SECONDS))
          .hasMessageStartingWith("the store of rank 0 at 127.0.0.1:")
          .hasMessageContaining("does not answer")
          .hasMessageEndingWith("the job cannot go on without it");
    }
  }

  @Test
  void strangers_on_the_port_are_sent_away_and_disturb_nobody() throws IOException {
    try (TcpStore server = TcpStore.serve(HERE, 0);
        Socket stranger = new Socket(HERE, server.port())) {
      stranger.getOutputStream().write(bytes("GET / HTTP/1.1\r\n\r\n"));
      assertThat(stranger.getInputStream().readAllBytes()).isEmpty();
      server.set("a", bytes("b"));
      assertThat(server.get("a", 0)).isEqualTo(bytes("b"));
    } catch (SocketException reset) {
      assertThat(reset).hasMessageContaining("reset");
    }
  }

  @Test
  void a_stranger_behind_the_port_is_noticed() throws IOException {
    try (ServerSocket other = new ServerSocket(0, 5, InetAddress.getByName(HERE))) {
      CompletableFuture.runAsync(
          () -> {
            try {
              while (true) {
                try (Socket socket = other.accept()) {
                  socket.getOutputStream().write(bytes("SSH-2.0-x\r\n"));
                  socket.getInputStream().read();
                }
              }
            } catch (IOException closed) {
              // The test is over.
            }
          });
      assertThatThrownBy(() -> TcpStore.connect(HERE, other.getLocalPort(), 300_000_000))
          .hasMessageContaining("something else than a store of this version answers");
    }
  }

  @Test
  void the_environment_of_launchers_is_understood() {
    try (TcpStore zero =
        TcpStore.fromEnvironment(
            Map.of("MASTER_ADDR", HERE, "MASTER_PORT", freePort(), "RANK", "0"), SECONDS)) {
      Map<String, String> one =
          Map.of(
              "MASTER_ADDR",
              HERE,
              "MASTER_PORT",
              Integer.toString(zero.port()),
              "RANK",
              "1",
              "WORLD_SIZE",
              "2");
      try (TcpStore client = TcpStore.fromEnvironment(one, 10 * SECONDS)) {
        client.set("k", bytes("v"));
        assertThat(zero.get("k", 0)).isEqualTo(bytes("v"));
      }
      assertThat(TcpStore.rank(one)).isEqualTo(1);
      assertThat(TcpStore.worldSize(one)).isEqualTo(2);
    }
  }

  private static String freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HERE))) {
      return Integer.toString(socket.getLocalPort());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void an_environment_that_lacks_something_says_what() {
    assertThatThrownBy(() -> TcpStore.fromEnvironment(Map.of(), SECONDS))
        .hasMessage(
            "MASTER_ADDR is not set: a launcher sets MASTER_ADDR, MASTER_PORT, RANK and"
                + " WORLD_SIZE for every rank");
    assertThatThrownBy(
            () ->
                TcpStore.fromEnvironment(
                    Map.of("MASTER_ADDR", HERE, "MASTER_PORT", "http", "RANK", "0"), SECONDS))
        .hasMessage("MASTER_PORT is 'http', but must be a whole number from 1");
    assertThatThrownBy(() -> TcpStore.rank(Map.of("RANK", "2", "WORLD_SIZE", "2")))
        .hasMessage("RANK is 2, but WORLD_SIZE only 2: ranks count from 0");
  }
}
