package dev.eddyline.agent.runtime;

import dev.eddyline.options.AgentSocket;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.Semaphore;

/**
 * Listens on the agent's Unix socket ({@link AgentSocket}) and lets somebody else answer. All
 * threads are daemons, one for each of at most {@value #CLIENTS} clients, so that one that says
 * nothing keeps none waiting.
 */
final class ControlServer implements AutoCloseable {
  /** What requests are asked of. */
  interface Handler {
    /**
     * Carries out a request.
     *
     * @return lines for people
     * @throws RequestException with one line that says why not
     */
    String answer(String request) throws RequestException;
  }

  /** A request that cannot be carried out; the message is one line. */
  static final class RequestException extends Exception {
    private static final long serialVersionUID = 1L;

    RequestException(String message) {
      super(message);
    }
  }

  private static final int CLIENTS = 8;
  private final ServerSocketChannel server;
  private final Path socket;
  private final Handler handler;
  private final Semaphore places = new Semaphore(CLIENTS);

  private ControlServer(ServerSocketChannel server, Path socket, Handler handler) {
    this.server = server;
    this.socket = socket;
    this.handler = handler;
  }

  /**
   * Begins to listen on this process's socket.
   *
   * @throws IOException if there can be none
   */
  static ControlServer open(Handler handler) throws IOException {
    int user = AgentSocket.user(Path.of("/proc/self"));
    Path socket = AgentSocket.of(Path.of("/"), user, ProcessHandle.current().pid());
    AgentSocket.makeFolder(socket, user);
    // A process of this number that is gone left it.
    Files.deleteIfExists(socket);
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      server.bind(UnixDomainSocketAddress.of(socket));
      Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
    ControlServer opened = new ControlServer(server, socket, handler);
    daemon("eddyline-control", opened::serve);
    return opened;
  }

  private static void daemon(String name, Runnable work) {
    Thread thread = new Thread(null, work, name, 256 << 10);
    thread.setDaemon(true);
    thread.start();
  }

  private void serve() {
    while (server.isOpen()) {
      try {
        SocketChannel client = server.accept();
        if (places.tryAcquire()) {
          daemon("eddyline-client", () -> serve(client));
        } else {
          client.close();
        }
      } catch (IOException | RuntimeException | OutOfMemoryError closed) {
        if (server.isOpen()) {
          pause();
        }
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void serve(SocketChannel client) {
    try (client) {
      String request = read(client);
      String answer;
      try {
        answer = AgentSocket.DONE + "\n" + handler.answer(request);
      } catch (RequestException e) {
        answer = AgentSocket.FAILED + "\n" + e.getMessage();
      } catch (RuntimeException | Error e) {
        answer = AgentSocket.FAILED + "\ninternal error: " + e;
      }
      ByteBuffer bytes = ByteBuffer.wrap((answer + "\n").getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        client.write(bytes);
      }
    } catch (IOException clientIsGone) {
      return;
    } finally {
      places.release();
    }
  }

  private static String read(SocketChannel client) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(AgentSocket.LONGEST_REQUEST);
    while (bytes.hasRemaining() && client.read(bytes) >= 0) {
      if (bytes.position() > 0 && bytes.get(bytes.position() - 1) == '\n') {
        break;
      }
    }
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8).strip();
  }

  /** Listens no more, and takes the socket away. */
  @Override
  public void close() throws IOException {
    server.close();
    Files.deleteIfExists(socket);
  }
}
