package dev.eddyline.analysis.importer;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.LongConsumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a trace file, expanded where the file is gzip (found by its first bytes, not by its
 * name). A thread of its own reads and expands ahead of the one that parses; at most {@value
 * #CHUNKS} chunks of {@value #CHUNK} bytes are in memory. To be read and closed by one thread.
 *
 * <p>Where the gzip data are cut off or damaged, all bytes before that place are delivered first.
 */
public final class TraceInput extends InputStream {
  private static final int CHUNK = 256 << 10;
  private static final int CHUNKS = 6;
  private static final long PROGRESS_NANOS = 200_000_000L;

  /** One piece of the stream; the last one has no bytes, and a failure if it was no good end. */
  private record Chunk(byte[] bytes, int size, long onDisk, @Nullable IOException failure) {
    boolean isLast() {
      return size == 0;
    }
  }

  private final BlockingQueue<Chunk> full = new ArrayBlockingQueue<>(CHUNKS);
  private final BlockingQueue<byte[]> free = new ArrayBlockingQueue<>(CHUNKS);
  private final Thread reader;
  private final CountingStream file;
  private final LongConsumer progress;
  private final boolean endAtDamage;
  private final boolean gzip;
  private Chunk current = new Chunk(new byte[0], 0, 0, null);
  private int at;
  private boolean ended;
  private long toldAt = System.nanoTime();
  private @Nullable IOException damage;

  private TraceInput(CountingStream file, boolean gzip, boolean endAtDamage, LongConsumer told) {
    this.file = file;
    this.gzip = gzip;
    this.endAtDamage = endAtDamage;
    this.progress = told;
    for (int i = 0; i < CHUNKS - 1; i++) {
      free.add(new byte[CHUNK]);
    }
    reader = new Thread(this::readAhead, "eddyline-read-ahead");
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Opens a file.
   *
   * @param path the file
   * @param options its progress is told bytes as they lie on the disk; with recovery damaged gzip
   *     data end the stream instead of failing it, see {@link #damage()}
   */
  public static TraceInput open(Path path, ReadOptions options) throws IOException {
    boolean gzip = isGzip(path);
    CountingStream file = new CountingStream(Files.newInputStream(path));
    return new TraceInput(file, gzip, options.recover(), options.progress());
  }

  /**
   * The first bytes of a file, at most {@code length}, expanded as far as they can be.
   *
   * @throws IOException if it cannot be opened or read
   */
  public static byte[] head(Path path, int length) throws IOException {
    try (InputStream raw = Files.newInputStream(path)) {
      if (!isGzip(path)) {
        return raw.readNBytes(length);
      }
      byte[] head = new byte[length];
      int size = 0;
      try (InputStream expanded = new GZIPInputStream(raw, CHUNK)) {
        for (int n = 0; n >= 0 && size < length; size += Math.max(0, n)) {
          n = expanded.read(head, size, length - size);
        }
      } catch (EOFException | ZipException e) {
        return java.util.Arrays.copyOf(head, size);
      }
      return java.util.Arrays.copyOf(head, size);
    }
  }

  private static boolean isGzip(Path path) throws IOException {
    try (InputStream raw = Files.newInputStream(path)) {
      byte[] magic = raw.readNBytes(2);
      return magic.length == 2 && magic[0] == 0x1F && magic[1] == (byte) 0x8B;
    }
  }

  /** Whether the file is compressed, so that offsets are those of the expanded stream. */
  public boolean isGzip() {
    return gzip;
  }

  /** What was wrong with the gzip data, or null; known once the end was reached. */
  public @Nullable IOException damage() {
    return damage;
  }

  private void readAhead() {
    IOException failure = null;
    try (InputStream source = gzip ? new GZIPInputStream(file, CHUNK) : file) {
      while (true) {
        byte[] bytes = free.take();
        int size = source.read(bytes, 0, bytes.length);
        if (size <= 0) {
          break;
        }
        full.put(new Chunk(bytes, size, file.count(), null));
      }
    } catch (InterruptedException e) {
      return;
    } catch (IOException e) {
      failure = e;
    } catch (RuntimeException | OutOfMemoryError e) {
      failure = new IOException(e);
    }
    try {
      full.put(new Chunk(new byte[0], 0, file.count(), failure));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (at == current.size && !next()) {
      return -1;
    }
    int size = Math.min(length, current.size - at);
    System.arraycopy(current.bytes, at, target, offset, size);
    at += size;
    return size;
  }

  private boolean next() throws IOException {
    if (ended) {
      return false;
    }
    if (current.size > 0) {
      free.offer(current.bytes);
    }
    try {
      current = full.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new java.io.InterruptedIOException("reading was interrupted");
    }
    at = 0;
    tellProgress();
    if (!current.isLast()) {
      return true;
    }
    ended = true;
    damage = current.failure;
    if (damage != null && !(endAtDamage && gzip)) {
      throw damage;
    }
    return false;
  }

  private void tellProgress() {
    long now = System.nanoTime();
    if (now - toldAt >= PROGRESS_NANOS) {
      toldAt = now;
      progress.accept(current.onDisk);
    }
  }

  @Override
  public void close() throws IOException {
    ended = true;
    reader.interrupt();
    file.close();
  }

  /** Counts the bytes taken from the disk; the count is written by the reading thread alone. */
  private static final class CountingStream extends InputStream {
    private final InputStream source;
    private volatile long count;

    CountingStream(InputStream source) {
      this.source = source;
    }

    long count() {
      return count;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate")
    public int read(byte[] target, int offset, int length) throws IOException {
      int size = source.read(target, offset, length);
      count += Math.max(0, size);
      return size;
    }

    @Override
    public int available() throws IOException {
      return source.available();
    }

    @Override
    public void close() throws IOException {
      source.close();
    }
  }
}
