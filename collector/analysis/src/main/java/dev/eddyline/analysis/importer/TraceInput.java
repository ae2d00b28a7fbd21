package dev.eddyline.analysis.importer;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.LongConsumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a trace file, expanded where the file is gzip (found by its first bytes, not by its
 * name). For a file of more than {@value #CHUNK} bytes a thread of its own reads and expands ahead
 * of the one that parses; at most {@value #CHUNKS} chunks are in memory. To be read and closed by
 * one thread.
 *
 * <p>Where the gzip data are cut off or damaged, the stream ends: whoever reads must ask for {@link
 * #damage()} then.
 */
public final class TraceInput extends InputStream {
  private static final int CHUNK = 256 << 10;
  private static final int LEAST_CHUNK = 4 << 10;
  private static final int CHUNKS = 6;
  private static final long PROGRESS_NANOS = 200_000_000L;
  private static final byte[] NO_BYTES = new byte[0];

  /** One piece of the stream; the last one has no bytes, and a failure if it was no good end. */
  private record Chunk(byte[] bytes, int size, long onDisk, @Nullable IOException failure) {
    boolean isLast() {
      return size == 0;
    }
  }

  private final BlockingQueue<Chunk> full = new ArrayBlockingQueue<>(CHUNKS);
  private final BlockingQueue<byte[]> free = new ArrayBlockingQueue<>(CHUNKS);
  private final CountingStream file;
  private final boolean gzip;
  private final int chunkSize;
  private final LongConsumer progress;
  private final @Nullable Thread reader;

  /** What is read from; of the reading thread, if there is one. */
  private @Nullable InputStream source;

  private Chunk current = new Chunk(NO_BYTES, 0, 0, null);
  private int at;
  private boolean ended;
  private long toldAt = System.nanoTime();
  private @Nullable IOException damage;

  private TraceInput(CountingStream file, long size, boolean gzip, LongConsumer progress) {
    this.file = file;
    this.gzip = gzip;
    this.chunkSize = (int) Math.max(Math.min(size, CHUNK), LEAST_CHUNK);
    this.progress = progress;
    if (size <= CHUNK) {
      reader = null;
    } else {
      reader = new Thread(this::readAhead, "eddyline-read-ahead");
      reader.setDaemon(true);
      reader.start();
    }
  }

  /**
   * Opens a file.
   *
   * @param path the file
   * @param progress told how many bytes were read, as they lie on the disk
   */
  public static TraceInput open(Path path, LongConsumer progress) throws IOException {
    boolean gzip = isGzip(path);
    long size = Files.size(path);
    return new TraceInput(new CountingStream(Files.newInputStream(path)), size, gzip, progress);
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
      try (InputStream expanded = new GZIPInputStream(raw, LEAST_CHUNK)) {
        for (int n = 0; n >= 0 && size < length; size += Math.max(0, n)) {
          n = expanded.read(head, size, length - size);
        }
      } catch (EOFException | ZipException e) {
        return Arrays.copyOf(head, size);
      }
      return Arrays.copyOf(head, size);
    }
  }

  private static boolean isGzip(Path path) throws IOException {
    try (InputStream raw = Files.newInputStream(path)) {
      byte[] magic = raw.readNBytes(2);
      return magic.length == 2 && magic[0] == 0x1F && magic[1] == (byte) 0x8B;
    }
  }

  /** What was wrong with the gzip data, or null; known once the end was reached. */
  public @Nullable IOException damage() {
    return damage;
  }

  private void readAhead() {
    try {
      int made = 0;
      Chunk chunk;
      do {
        chunk = readChunk(made < CHUNKS - 1 ? new byte[chunkSize] : free.take());
        made++;
        full.put(chunk);
      } while (!chunk.isLast());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      closeSource();
    }
  }

  private void closeSource() {
    try {
      if (source != null) {
        source.close();
      }
    } catch (IOException e) {
      // Nothing more is wanted of it; what was read is not the worse for it.
    }
  }

  /** Reads the next bytes; what goes wrong is the chunk's failure. */
  private Chunk readChunk(byte[] bytes) {
    try {
      if (source == null) {
        source = gzip ? new GZIPInputStream(file, chunkSize) : file;
      }
      int size = source.read(bytes, 0, bytes.length);
      return new Chunk(bytes, Math.max(0, size), file.count(), null);
    } catch (IOException e) {
      return new Chunk(NO_BYTES, 0, file.count(), e);
    } catch (RuntimeException | OutOfMemoryError e) {
      return new Chunk(NO_BYTES, 0, file.count(), new IOException(e));
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
    current = reader == null ? readChunk(buffer()) : taken();
    at = 0;
    tellProgress();
    if (!current.isLast()) {
      return true;
    }
    ended = true;
    IOException failure = current.failure;
    if (failure instanceof EOFException || failure instanceof ZipException) {
      damage = failure;
    } else if (failure != null) {
      throw failure;
    }
    return false;
  }

  private byte[] buffer() {
    return current.size > 0 ? current.bytes : new byte[chunkSize];
  }

  private Chunk taken() throws IOException {
    if (current.size > 0) {
      free.offer(current.bytes);
    }
    try {
      return full.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("reading was interrupted");
    }
  }

  private void tellProgress() {
    long now = System.nanoTime();
    if (now - toldAt >= PROGRESS_NANOS) {
      toldAt = now;
      progress.accept(current.onDisk);
    }
  }

  /** Ends the reading thread and closes the file. */
  @Override
  public void close() throws IOException {
    ended = true;
    if (reader != null) {
      reader.interrupt();
    } else {
      closeSource();
    }
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
