package dev.eddyline.recorder;

import dev.eddyline.recorder.marks.MarkSink;
import dev.eddyline.recorder.rows.ClockMap;
import dev.eddyline.recorder.shim.ShimCounters;
import dev.eddyline.trace.Definition.ProcessEntry;
import dev.eddyline.trace.EddyWriter;
import dev.eddyline.trace.FrameRing;
import dev.eddyline.trace.FrameSink;
import dev.eddyline.trace.WriterOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The file or the ring that a recording is written into, with what makes its rows. One thread
 * drains and closes; any may ask and take snapshots.
 */
final class Output {
  private final Path path;
  private final @Nullable FrameRing ring;
  private final EddyWriter writer;
  private final Drain drain;
  private final int bufferCount;
  private int snapshots;

  private Output(
      Path path, @Nullable FrameRing ring, EddyWriter writer, Drain drain, int bufferCount) {
    this.path = path;
    this.ring = ring;
    this.writer = writer;
    this.drain = drain;
    this.bufferCount = bufferCount;
  }

  static Output open(RecorderOptions options, MarkSink marks, Consumer<BlockedCall> onBlocked)
      throws IOException {
    Path wanted = options.out().get();
    FrameRing ring = null;
    FrameSink sink;
    Path path = wanted;
    if (options.ringNanos() > 0) {
      ring = new FrameRing(options.ringNanos(), options.ringBytes());
      sink = ring;
    } else {
      OutputFile file = OutputFile.create(wanted);
      path = file.path();
      sink = file.sink();
    }
    ClockMap clock = new ClockMap();
    EddyWriter writer =
        new EddyWriter(sink, Headers.of(options, clock.read()), WriterOptions.defaults());
    ProcessEntry process =
        new ProcessEntry(
            0, ProcessHandle.current().pid(), options.rank(), options.worldSize(), Headers.host());
    return new Output(
        path,
        ring,
        writer,
        new Drain(writer, process, options, marks, clock, onBlocked),
        options.bufferCount());
  }

  Drain drain() {
    return drain;
  }

  /** Writes all rows. */
  void flush() {
    writer.flush();
  }

  /** Where it goes. */
  String words() {
    return ring == null ? path.toString() : "a ring in memory";
  }

  /** Lines for people. */
  String info() {
    ShimCounters shim = ShimCounters.read();
    return String.format(
        Locale.ROOT,
        "%s: %d records, %.1f MiB written, losses: %s%n"
            + "activity buffers: %d in flight, %d at most%s",
        words(),
        writer.recordsWritten(),
        writer.bytesWritten() / 1048576.0,
        drain.losses().words(),
        shim.inFlight(),
        shim.mostInFlight(),
        ring == null
            ? ""
            : String.format(Locale.ROOT, "; ring: %.1f MiB", ring.bytes() / 1048576.0));
  }

  String snapshot(@Nullable Path target) {
    if (ring == null) {
      writer.flush();
      return path + " holds all finished records: " + writer.recordsWritten();
    }
    Path wanted =
        target != null
            ? target
            : OutputFile.inserted(path, snapshots() == 1 ? "" : "-" + snapshots);
    try {
      OutputFile file = OutputFile.create(wanted);
      try (var sink = file.sink()) {
        writer.snapshot(sink);
      }
      return "wrote " + file.path();
    } catch (IOException | RuntimeException e) {
      return "no snapshot: " + e;
    }
  }

  private synchronized int snapshots() {
    return ++snapshots;
  }

  /** Ends the file; the line that says what it holds. */
  String close() {
    if (ring != null) {
      String line = snapshot(null);
      writer.close();
      return String.format(
          Locale.ROOT,
          "%s, losses: %s, memory: %d of %d activity buffers, ring of %.1f MiB",
          line,
          drain.losses().words(),
          ShimCounters.read().mostInFlight(),
          bufferCount,
          ring.bytes() / 1048576.0);
    }
    writer.close();
    Throwable failure = writer.firstFailure();
    return String.format(
        Locale.ROOT,
        "%s: %d records, %.1f MiB, losses: %s, memory: %d of %d activity buffers%s",
        path,
        writer.recordsWritten(),
        writer.bytesWritten() / 1048576.0,
        drain.losses().words(),
        ShimCounters.read().mostInFlight(),
        bufferCount,
        failure == null
            ? ""
            : "; " + writer.failures() + " frames could not be written: " + failure);
  }
}
