package dev.eddyline.agent.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.options.AgentSocket;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
@Timeout(60)
class ControlServerTest {
  private ControlServer server;
  private Path socket;

  @BeforeEach
  void open() throws IOException {
    server =
        ControlServer.open(
            request -> {
              if (request.equals("fail")) {
                throw new ControlServer.RequestException("on purpose");
              }
              if (request.equals("throw")) {
                throw new IllegalStateException("by mistake");
              }
              return "said: " + request;
            });
    socket =
        AgentSocket.of(
            Path.of("/"), AgentSocket.user(Path.of("/proc/self")), ProcessHandle.current().pid());
  }

  @AfterEach
  void close() throws IOException {
    server.close();
    assertThat(socket).doesNotExist();
  }

  private String ask(String request) throws IOException {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      channel.write(ByteBuffer.wrap((request + "\n").getBytes(StandardCharsets.UTF_8)));
      return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void only_its_user_may_ask() throws IOException {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket.getParent())))
        .isEqualTo("rwx------");
  }

  @Test
  void requests_are_answered() throws IOException {
    assertThat(ask("snapshot /tmp/übung")).isEqualTo("done\nsaid: snapshot /tmp/übung\n");
    assertThat(ask("fail")).isEqualTo("failed\non purpose\n");
    assertThat(ask("throw")).startsWith("failed\ninternal error: ");
  }

  @Test
  void one_that_says_nothing_keeps_none_waiting() throws IOException {
    try (SocketChannel silent = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      assertThat(ask("info")).isEqualTo("done\nsaid: info\n");
      assertThat(silent.isConnected()).isTrue();
    }
  }
}
