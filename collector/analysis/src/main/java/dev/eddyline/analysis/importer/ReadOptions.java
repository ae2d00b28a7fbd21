package dev.eddyline.analysis.importer;

import java.util.function.LongConsumer;

/**
 * How to read.
 *
 * @param recover whether reading goes on behind a malformed place
 * @param limits what a file may make us allocate
 * @param progress told the number of bytes read so far, of the files as they lie on the disk;
 *     called from the reading thread at most a few times a second; may throw {@link
 *     java.util.concurrent.CancellationException} to stop
 */
public record ReadOptions(boolean recover, TraceReadLimits limits, LongConsumer progress) {
  /** No recovery, default limits, nobody told. */
  public static ReadOptions defaults() {
    return new ReadOptions(false, TraceReadLimits.defaults(), bytes -> {});
  }
}
