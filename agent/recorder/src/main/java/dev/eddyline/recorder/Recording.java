package dev.eddyline.recorder;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A recording, from {@link Recorder#start} on. It waits until the program uses CUDA, records, and
 * ends by {@link #detach}, by {@link #shutdown} or with its window; or it is inert from the
 * beginning, and everything here does nothing.
 *
 * <p>Threads: any, for all methods. Nothing is thrown.
 */
public interface Recording {
  /** Whether it waits, records or still writes. */
  boolean isActive();

  /** What it does and has done, for people, in lines: state, file, records, losses, memory. */
  String info();

  /**
   * With a ring: writes what it holds into a file of its own. Without: writes all finished records
   * into the file.
   *
   * @param target where to; null = a new name beside the recording's own
   * @return one line that says what was written where, or why nothing was
   */
  String snapshot(@Nullable Path target);

  /**
   * Ends it while the program goes on: kinds and callbacks off, an unforced flush, CUPTI dormant.
   * Returns within a second; the file is complete when the work in flight has ended.
   *
   * @return one line that says so
   */
  String detach();

  /** Ends it at the end of the JVM, within about two seconds; for a shutdown hook. */
  void shutdown();

  /** Takes the records of {@code dev.eddyline.marks}, on any thread, and never throws. */
  Consumer<ByteBuffer> marks();
}
