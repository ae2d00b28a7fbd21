package dev.eddyline.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS)
class AgentSocketTest {
  @TempDir Path root;
  private int user;
  private Path socket;

  @BeforeEach
  void find_the_user() throws IOException {
    user = AgentSocket.user(root);
    socket = AgentSocket.of(root, user, 42);
    Files.createDirectory(root.resolve("tmp"));
  }

  @Test
  void the_folder_is_its_users_alone() throws IOException {
    AgentSocket.makeFolder(socket, user);
    AgentSocket.makeFolder(socket, user);

    assertThat(socket).isEqualTo(root.resolve("tmp/.eddyline-" + user + "/42"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket.getParent())))
        .isEqualTo("rwx------");
  }

  @Test
  void a_folder_that_others_may_enter_is_refused() throws IOException {
    AgentSocket.makeFolder(socket, user);
    Files.setPosixFilePermissions(socket.getParent(), PosixFilePermissions.fromString("rwxr-xr-x"));

    assertThatThrownBy(() -> AgentSocket.makeFolder(socket, user))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is not a folder of this user alone");
  }

  @Test
  void a_link_is_refused() throws IOException {
    Path elsewhere = Files.createDirectory(root.resolve("elsewhere"));
    Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("rwx------"));
    Files.createSymbolicLink(socket.getParent(), elsewhere);

    assertThatThrownBy(() -> AgentSocket.makeFolder(socket, user)).isInstanceOf(IOException.class);
  }
}
