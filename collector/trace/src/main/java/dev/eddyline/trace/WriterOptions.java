package dev.eddyline.trace;

import java.util.function.Consumer;

/**
 * How an {@link EddyWriter} writes.
 *
 * @param level zstd's compression level
 * @param blockRows rows of one type after which they are written, at most {@link
 *     FrameHeader#MAX_BLOCK_ROWS}; a type's buffer never has more
 * @param flushNanos age of the oldest row after which rows are written, see {@link
 *     EddyWriter#flushIfDue}
 * @param repeatBytes bytes of frames after which the dictionaries are written again
 * @param maxStrings strings that the writer keeps
 * @param maxCharacters characters that all these strings may have
 * @param onFailure told the first failure to write, under the writer's lock; the later ones are
 *     counted only
 */
public record WriterOptions(
    int level,
    int blockRows,
    long flushNanos,
    long repeatBytes,
    int maxStrings,
    long maxCharacters,
    Consumer<Throwable> onFailure) {
  public WriterOptions {
    if (blockRows < 1 || blockRows > FrameHeader.MAX_BLOCK_ROWS) {
      throw new IllegalArgumentException("blockRows " + blockRows);
    }
  }

  /** Level 1, blocks of 16384 rows, 200 ms, 64 MiB, a million strings of 128 Mi characters. */
  public static WriterOptions defaults() {
    return new WriterOptions(
        1, 1 << 14, 200_000_000L, 64L << 20, 1_000_000, 128L << 20, failure -> {});
  }

  /** These options with another compression level. */
  public WriterOptions withLevel(int newLevel) {
    return new WriterOptions(
        newLevel, blockRows, flushNanos, repeatBytes, maxStrings, maxCharacters, onFailure);
  }

  /** These options with blocks of another size. */
  public WriterOptions withBlockRows(int rows) {
    return new WriterOptions(
        level, rows, flushNanos, repeatBytes, maxStrings, maxCharacters, onFailure);
  }

  /** These options with the dictionaries repeated after another number of bytes. */
  public WriterOptions withRepeatBytes(long bytes) {
    return new WriterOptions(
        level, blockRows, flushNanos, bytes, maxStrings, maxCharacters, onFailure);
  }

  /** These options with other bounds of the dictionary of strings. */
  public WriterOptions withStrings(int strings, long characters) {
    return new WriterOptions(
        level, blockRows, flushNanos, repeatBytes, strings, characters, onFailure);
  }

  /** These options with another listener for the first failure. */
  public WriterOptions onFailure(Consumer<Throwable> listener) {
    return new WriterOptions(
        level, blockRows, flushNanos, repeatBytes, maxStrings, maxCharacters, listener);
  }
}
