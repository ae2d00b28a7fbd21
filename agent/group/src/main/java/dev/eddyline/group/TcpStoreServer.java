package dev.eddyline.group;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Serves the keys and values of a job; a daemon thread for each connection. What it keeps is
 * bounded: so many keys, connections and bytes, and then it refuses.
 */
final class TcpStoreServer implements AutoCloseable {
  private static final int MOST_CONNECTIONS = 4096;
  private static final int MOST_KEYS = 1 << 20;
  private static final long MOST_BYTES = 256L << 20;
  private static final int GREETING_MILLIS = 5_000;

  private final ServerSocket socket;
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
  private final Map<String, byte[]> values = new HashMap<>();
  private long bytes;

  private TcpStoreServer(ServerSocket socket) {
    this.socket = socket;
  }

  static TcpStoreServer start(InetAddress address, int port) throws IOException {
    TcpStoreServer server = new TcpStoreServer(new ServerSocket(port, MOST_CONNECTIONS, address));
    daemon("eddyline-store", server::accept);
    return server;
  }

  private static void daemon(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    thread.start();
  }

  int port() {
    return socket.getLocalPort();
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket connection = socket.accept();
        if (connections.size() >= MOST_CONNECTIONS) {
          TcpStore.closeQuietly(connection);
          continue;
        }
        connections.add(connection);
        daemon("eddyline-store-client", () -> serve(connection));
      } catch (IOException e) {
        // Closed, or one client less: the others go on.
      }
    }
  }

  /** Which rank a connection is of, -1 if it did not say or has taken its leave. */
  private static final class Member {
    private int rank = -1;
  }

  private void serve(Socket connection) {
    Member member = new Member();
    try (connection) {
      connection.setTcpNoDelay(true);
      connection.setSoTimeout(GREETING_MILLIS);
      DataInputStream in = new DataInputStream(connection.getInputStream());
      DataOutputStream out = new DataOutputStream(connection.getOutputStream());
      if (in.readInt() != TcpStore.GREETING) {
        return;
      }
      out.writeInt(TcpStore.GREETING);
      out.flush();
      connection.setSoTimeout(0);
      while (answer(member, in, out)) {
        out.flush();
      }
    } catch (IOException e) {
      // The client is gone.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      connections.remove(connection);
      if (member.rank >= 0) {
        put(TcpStore.GONE + member.rank, new byte[] {1});
      }
    }
  }

  private boolean answer(Member member, DataInputStream in, DataOutputStream out)
      throws IOException, InterruptedException {
    byte request = in.readByte();
    String key = in.readUTF();
    switch (request) {
      case TcpStore.SET -> {
        int length = in.readInt();
        if (length < 0 || length > TcpStore.MOST_VALUE_BYTES) {
          return false;
        }
        byte[] value = new byte[length];
        in.readFully(value);
        status(out, put(key, value));
      }
      case TcpStore.GET -> {
        byte[] value = await(key, in.readLong());
        out.writeByte(value == null ? TcpStore.TIMED_OUT : TcpStore.DONE);
        if (value != null) {
          out.writeInt(value.length);
          out.write(value);
        }
      }
      case TcpStore.IS -> {
        member.rank = in.readInt();
        status(out, null);
      }
      case TcpStore.BYE -> {
        member.rank = -1;
        status(out, null);
      }
      case TcpStore.ADD -> add(key, in.readLong(), out);
      default -> {
        return false;
      }
    }
    return true;
  }

  private static void status(DataOutputStream out, @Nullable String refused) throws IOException {
    out.writeByte(refused == null ? TcpStore.DONE : TcpStore.REFUSED);
    if (refused != null) {
      out.writeUTF(refused);
    }
  }

  /** Sets a value; why not, or null. */
  private synchronized @Nullable String put(String key, byte[] value) {
    byte[] before = values.get(key);
    long more = bytes + value.length - (before == null ? 0 : before.length);
    if (before == null && values.size() >= MOST_KEYS) {
      return "it holds " + MOST_KEYS + " keys already";
    }
    if (more > MOST_BYTES) {
      return "it holds " + bytes + " of at most " + MOST_BYTES + " bytes already";
    }
    bytes = more;
    values.put(key, value);
    notifyAll();
    return null;
  }

  private synchronized byte @Nullable [] await(String key, long nanos) throws InterruptedException {
    long deadline = Times.after(System.nanoTime(), nanos);
    byte[] value;
    while ((value = values.get(key)) == null) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return null;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return value;
  }

  private void add(String key, long amount, DataOutputStream out) throws IOException {
    long sum;
    String refused;
    synchronized (this) {
      byte[] before = values.get(key);
      if (before != null && before.length != Long.BYTES) {
        sum = 0;
        refused = "its value is no number";
      } else {
        sum = (before == null ? 0 : ByteBuffer.wrap(before).getLong()) + amount;
        refused = put(key, ByteBuffer.allocate(Long.BYTES).putLong(sum).array());
      }
    }
    status(out, refused);
    if (refused == null) {
      out.writeLong(sum);
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // It is given up anyway.
    }
    connections.forEach(TcpStore::closeQuietly);
  }
}
