package dev.eddyline.group;

import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Store;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A store over TCP: rank 0 serves, all ranks, 0 too, are its clients. It blocks in sockets, and so
 * is not for the simulated device, which brings a store of its own.
 *
 * <p>For any number of threads, which take turns on one connection: a wait for a key holds up the
 * others. Every wait is bounded.
 */
public final class TcpStore implements Store, AutoCloseable {
  /** Longest key, in bytes of UTF-8. */
  public static final int MOST_KEY_BYTES = 1024;

  /** Longest value, in bytes. */
  public static final int MOST_VALUE_BYTES = 1 << 20;

  static final byte SET = 1;
  static final byte GET = 2;
  static final byte ADD = 3;
  static final byte IS = 4;
  static final byte BYE = 5;
  static final byte DONE = 0;
  static final byte TIMED_OUT = 1;
  static final byte REFUSED = 2;

  /** Begins the keys that the server sets when the connection of a rank broke. */
  static final String GONE = "eddyline/gone/";

  /** Sent first by both sides, so that a stranger on the port is noticed. */
  static final int GREETING = 0xEDD7_0001;

  private static final int DEFAULT_PORT = 29500;
  private static final long ANSWER_NANOS = 30_000_000_000L;
  private static final long RETRY_MILLIS = 50;

  private final String where;
  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;
  private final @Nullable TcpStoreServer served;
  private final ReentrantLock turn = new ReentrantLock();
  private volatile int member = -1;

  private TcpStore(String where, Socket socket, @Nullable TcpStoreServer served)
      throws IOException {
    this.where = where;
    this.socket = socket;
    this.served = served;
    this.in = new DataInputStream(socket.getInputStream());
    this.out = new DataOutputStream(socket.getOutputStream());
  }

  /**
   * The store of a job as launchers describe it: {@code MASTER_ADDR}, {@code MASTER_PORT} (29500 if
   * not set), {@code RANK}. Rank 0 serves. Blocks until the server answers.
   *
   * @param environment {@code System.getenv()}
   * @throws IllegalArgumentException if a variable lacks or is no number; says which
   * @throws DeviceException {@link Reason#TIMEOUT} if rank 0 does not answer in time
   */
  public static TcpStore fromEnvironment(Map<String, String> environment, long timeoutNanos) {
    String host = variable(environment, "MASTER_ADDR");
    int port =
        environment.containsKey("MASTER_PORT")
            ? number(environment, "MASTER_PORT", 1, 65_535)
            : DEFAULT_PORT;
    int rank = number(environment, "RANK", 0, Integer.MAX_VALUE);
    TcpStore store = rank == 0 ? serve(host, port) : connect(host, port, timeoutNanos);
    try {
      store.is(rank);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
    return store;
  }

  /** Tells the server whose connection this is: when it breaks, that rank is gone. */
  void is(int rank) {
    exchange(
        "rank",
        0,
        () -> {
          out.writeByte(IS);
          out.writeUTF("rank");
          out.writeInt(rank);
          out.flush();
          status("rank");
          return true;
        });
    member = rank;
  }

  /** The rank of the job whose store this is, -1 if it did not say. */
  int member() {
    return member;
  }

  /** {@code WORLD_SIZE} of an environment; {@link IllegalArgumentException} if it lacks. */
  public static int worldSize(Map<String, String> environment) {
    return number(environment, "WORLD_SIZE", 1, Integer.MAX_VALUE);
  }

  /**
   * {@code RANK} of an environment; {@link IllegalArgumentException} if it lacks or is too large.
   */
  public static int rank(Map<String, String> environment) {
    int rank = number(environment, "RANK", 0, Integer.MAX_VALUE);
    if (rank >= worldSize(environment)) {
      throw new IllegalArgumentException(
          "RANK is "
              + rank
              + ", but WORLD_SIZE only "
              + worldSize(environment)
              + ": ranks count from 0");
    }
    return rank;
  }

  private static String variable(Map<String, String> environment, String name) {
    String value = environment.get(name);
    if (value == null || value.isBlank()) {
      throw new IllegalArgumentException(
          name
              + " is not set: a launcher sets MASTER_ADDR, MASTER_PORT, RANK and WORLD_SIZE for"
              + " every rank");
    }
    return value.strip();
  }

  private static int number(Map<String, String> environment, String name, int least, int most) {
    String value = variable(environment, name);
    try {
      int number = Integer.parseInt(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below, as for a number out of range.
    }
    throw new IllegalArgumentException(
        name + " is '" + value + "', but must be a whole number from " + least);
  }

  /** Serves at an address of this machine, and is a client of it. Port 0 takes any free one. */
  public static TcpStore serve(String host, int port) {
    TcpStoreServer server;
    try {
      server = TcpStoreServer.start(InetAddress.getByName(host), port);
    } catch (UnknownHostException e) {
      throw unknown(host, e);
    } catch (IOException e) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT,
          "rank 0 cannot serve the store at "
              + host
              + ":"
              + port
              + " ("
              + e.getMessage()
              + "): is MASTER_ADDR an address of this machine, and the port free?",
          e);
    }
    try {
      return open(host, server.port(), ANSWER_NANOS, server);
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  /** Connects to the server, which may come later; tries until the time has passed. */
  public static TcpStore connect(String host, int port, long timeoutNanos) {
    return open(host, port, timeoutNanos, null);
  }

  private static TcpStore open(
      String host, int port, long timeoutNanos, @Nullable TcpStoreServer served) {
    String where = host + ":" + port;
    long deadline = System.nanoTime() + timeoutNanos;
    IOException last = new IOException("no try was made");
    do {
      Socket socket = new Socket();
      try {
        int left = millis(Math.max(1, deadline - System.nanoTime()));
        socket.connect(new InetSocketAddress(InetAddress.getByName(host), port), left);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(left);
        TcpStore store = new TcpStore(where, socket, served);
        store.greet();
        return store;
      } catch (UnknownHostException e) {
        throw unknown(host, e);
      } catch (IOException e) {
        last = e;
        closeQuietly(socket);
      }
      pause();
    } while (System.nanoTime() - deadline < 0);
    throw new DeviceException(
        Reason.TIMEOUT,
        "no store answers at "
            + where
            + " after "
            + Times.ms(timeoutNanos)
            + " ("
            + last.getMessage()
            + "): is rank 0 running, and do MASTER_ADDR and MASTER_PORT name its machine?",
        last);
  }

  private void greet() throws IOException {
    out.writeInt(GREETING);
    out.flush();
    if (in.readInt() != GREETING) {
      throw new IOException("something else than a store of this version answers");
    }
  }

  private static void pause() {
    try {
      Thread.sleep(RETRY_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DeviceException(Reason.NOT_PERMITTED, "connecting to the store was interrupted", e);
    }
  }

  private static DeviceException unknown(String host, UnknownHostException e) {
    return new DeviceException(
        Reason.INVALID_ARGUMENT, "MASTER_ADDR '" + host + "' is no known host", e);
  }

  private static int millis(long nanos) {
    return (int) Math.min(Integer.MAX_VALUE / 2, Math.max(1, nanos / 1_000_000));
  }

  static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is given up anyway.
    }
  }

  /** The port that it is reached at. */
  public int port() {
    return socket.getPort();
  }

  // ---- the store ----

  /** Writes a request; reads its answer's body. */
  private interface Exchange<T> {
    T run() throws IOException;
  }

  private <T> T exchange(String key, long nanos, Exchange<T> exchange) {
    checkKey(key);
    turn.lock();
    try {
      socket.setSoTimeout(millis(Times.after(ANSWER_NANOS, nanos)));
      return exchange.run();
    } catch (IOException e) {
      closeQuietly(socket);
      throw new DeviceException(
          Reason.COMMUNICATOR,
          "the store of rank 0 at "
              + where
              + " does not answer ("
              + e.getMessage()
              + "): rank 0 is gone, or the network; the job cannot go on without it",
          e);
    } finally {
      turn.unlock();
    }
  }

  private static void checkKey(String key) {
    int bytes = key.getBytes(StandardCharsets.UTF_8).length;
    if (bytes == 0 || bytes > MOST_KEY_BYTES) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT, "a key of " + bytes + " bytes; it has 1 to " + MOST_KEY_BYTES);
    }
  }

  private void status(String key) throws IOException {
    if (in.readByte() == REFUSED) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT, "the store refuses key '" + key + "': " + in.readUTF());
    }
  }

  @Override
  public void set(String key, byte[] value) {
    if (value.length > MOST_VALUE_BYTES) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT,
          "a value of " + value.length + " bytes; the store takes up to " + MOST_VALUE_BYTES);
    }
    exchange(
        key,
        0,
        () -> {
          out.writeByte(SET);
          out.writeUTF(key);
          out.writeInt(value.length);
          out.write(value);
          out.flush();
          status(key);
          return true;
        });
  }

  @Override
  public byte[] get(String key, long timeoutNanos) {
    Optional<byte[]> value =
        exchange(
            key,
            timeoutNanos,
            () -> {
              out.writeByte(GET);
              out.writeUTF(key);
              out.writeLong(timeoutNanos);
              out.flush();
              return in.readByte() == TIMED_OUT ? Optional.empty() : Optional.of(readValue());
            });
    return value.orElseThrow(
        () ->
            new DeviceException(
                Reason.TIMEOUT,
                "waited "
                    + Times.ms(timeoutNanos)
                    + " for key '"
                    + key
                    + "' of the store, and no rank set it"));
  }

  private byte[] readValue() throws IOException {
    int length = in.readInt();
    if (length < 0 || length > MOST_VALUE_BYTES) {
      throw new IOException("an answer of " + length + " bytes");
    }
    byte[] value = new byte[length];
    in.readFully(value);
    return value;
  }

  @Override
  public long add(String key, long amount) {
    return exchange(
        key,
        0,
        () -> {
          out.writeByte(ADD);
          out.writeUTF(key);
          out.writeLong(amount);
          out.flush();
          status(key);
          return in.readLong();
        });
  }

  /** Ends the connection as the end of a process would. */
  void breakOff() {
    closeQuietly(socket);
  }

  /** Ends the connection; where it serves, the server too. */
  @Override
  public void close() {
    sayGoodbye();
    breakOff();
    if (served != null) {
      served.close();
    }
  }

  /** So that nobody takes this rank for one that broke off; not behind another thread's wait. */
  private void sayGoodbye() {
    if (member < 0 || socket.isClosed() || !turn.tryLock()) {
      return;
    }
    try {
      exchange(
          "bye",
          0,
          () -> {
            out.writeByte(BYE);
            out.writeUTF("bye");
            out.flush();
            status("bye");
            return true;
          });
    } catch (DeviceException e) {
      // It is closed all the same.
    } finally {
      turn.unlock();
    }
  }
}
