package dev.eddyline.recorder;

import dev.eddyline.recorder.decode.Layout;
import dev.eddyline.recorder.marks.MarkSink;
import dev.eddyline.recorder.shim.CuptiPlaces;
import dev.eddyline.recorder.shim.Shim;
import dev.eddyline.recorder.shim.ShimCounters;
import dev.eddyline.recorder.shim.ShimLibrary;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One recording: a thread waits for CUDA, then drains the shim into the output until the end;
 * another flushes CUPTI.
 */
final class RecordingSession implements Recording {
  private static final long WAITING_NANOS = 5_000_000;
  private static final long IDLE_NANOS = 2_000_000;
  private static final long MARK_NANOS = 1_000_000_000;
  private static final long DETACH_NANOS = 60_000_000_000L;
  private static final long DETACH_ANSWER_MILLIS = 900;
  private static final long SHUTDOWN_NANOS = 2_000_000_000;
  private static final long FLUSH_MILLIS = 500;
  private static final long QUIET_NANOS = 300_000_000;

  private static @Nullable RecordingSession current;

  private final RecorderOptions options;
  private final Consumer<String> log;
  private final WindowControl window;
  private final MarkSink marks;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Object stopping = new Object();
  private volatile @Nullable Output output;
  private volatile String outcome = "waiting for CUDA";
  private volatile boolean stopped;
  private volatile long deadline = Long.MAX_VALUE;
  private volatile long lastFlushBegun;
  private volatile long lastFlush;
  private boolean listenerFailed;
  private long ringDueSince;
  private long ringWrittenAt;

  private RecordingSession(RecorderOptions options, Consumer<String> log) {
    this.options = options;
    this.log = log;
    this.ringWrittenAt = System.nanoTime() - options.ringNanos();
    this.window = new WindowControl(options.window());
    this.marks = new MarkSink(window::began);
  }

  static synchronized Recording start(RecorderOptions options, Consumer<String> log) {
    RecordingSession session = new RecordingSession(options, log);
    boolean busy = current != null && current.isActive();
    if (busy || !Shim.prepare(numbers(options), Headers.KINDS, places(options))) {
      String why = "another recording runs in this process, or there is no memory for its buffers";
      log.accept("not recording: " + why);
      return new InertRecording(why);
    }
    if (session.window.isOpen()) {
      Shim.arm(ShimLibrary.path());
    }
    current = session;
    daemon("eddyline-drain", session::run).start();
    return session;
  }

  private static long[] numbers(RecorderOptions options) {
    long deviceBuffer = 0;
    long deviceBuffers = 0;
    if (options.deviceBufferBytes() > 0) {
      deviceBuffer = Math.min(3_200_000, options.deviceBufferBytes());
      deviceBuffers = Math.max(1, options.deviceBufferBytes() / deviceBuffer);
    }
    return new long[] {
      options.bufferBytes(),
      options.bufferCount(),
      deviceBuffer,
      deviceBuffers,
      options.blockNanos(),
      Layout.KERNEL_NAME,
      Layout.DEVICE_NAME,
      1,
      options.deep() ? 1 : 0,
      options.stacks(),
      options.launchStacks() ? 1 : 0
    };
  }

  private static byte[] places(RecorderOptions options) {
    StringBuilder places = new StringBuilder();
    for (Path place : CuptiPlaces.list(options.cupti(), System.getenv())) {
      places.append(place).append('\n');
    }
    return places.toString().getBytes(ShimLibrary.encoding());
  }

  private static Thread daemon(String name, Runnable work) {
    Thread thread = new Thread(null, work, name, 0, false);
    thread.setDaemon(true);
    return thread;
  }

  // ---- the draining thread ----

  private void run() {
    try {
      if (awaitStart()) {
        record();
      }
    } catch (RuntimeException | Error e) {
      fail("recording ended: " + e);
    } finally {
      Shim.stopStacks();
      Shim.stop();
      Shim.setDrop(Shim.REFUSE);
      marks.setOn(false);
      ended.countDown();
    }
  }

  private void fail(String why) {
    outcome = why;
    log.accept(why);
  }

  /** Waits until CUPTI records; false if it never will. */
  private boolean awaitStart() {
    for (; ; ) {
      boolean last = stopped;
      switch (Shim.state()) {
        // Also if it was stopped meanwhile: what was recorded until then is written.
        case Shim.RUNNING, Shim.STOPPED -> {
          return true;
        }
        case Shim.REFUSED -> {
          fail("not recording: " + reasons());
          return false;
        }
        case Shim.STARTING -> {}
        default -> {
          // Not started by the driver: CUDA was there before, or another tool has that place.
          if (!last && window.isOpen() && Shim.cudaState() == 2) {
            Shim.start(true);
            continue;
          }
        }
      }
      if (last) {
        outcome = "not recorded: CUDA was not used";
        return false;
      }
      LockSupport.parkNanos(WAITING_NANOS);
    }
  }

  private static String reasons() {
    String report = new String(Shim.report(), ShimLibrary.encoding());
    List<String> lines = report.lines().toList();
    return lines.isEmpty() ? "no CUPTI was found" : String.join("; ", lines);
  }

  private void record() {
    Output opened;
    try {
      opened = Output.open(options, marks, this::blocked);
    } catch (IOException | RuntimeException e) {
      fail("not recording: the output cannot be written: " + e);
      return;
    }
    output = opened;
    outcome = "recording";
    marks.setOn(true);
    log.accept("recording to " + opened.words() + " (CUPTI " + Headers.cupti(Shim.version()) + ")");
    Thread flusher = daemon("eddyline-flush", () -> flush(opened.drain()));
    flusher.start();
    drainUntilOver(opened);
    marks.setOn(false);
    flusher.interrupt();
    opened.drain().finish();
    String line = opened.close();
    outcome = line;
    log.accept(line);
  }

  private void drainUntilOver(Output opened) {
    Drain drain = opened.drain();
    drain.ownThread(Shim.threadId());
    HangWatch hangs = new HangWatch(options.hangNanos());
    long marked = System.nanoTime();
    long busy = marked;
    long written = marked;
    while (!isOver(busy)) {
      boolean any = drain.once();
      long now = System.nanoTime();
      if (any) {
        busy = now;
        hangs.progress(now);
      }
      // What a flush brought is written at once, so that a killed process loses one interval only.
      if (!any && lastFlush > written) {
        written = now;
        opened.flush();
      }
      if (now - marked >= MARK_NANOS) {
        marked = now;
        drain.mark();
      }
      List<HangWatch.Stuck> stuck = hangs.look(now);
      if (!stuck.isEmpty()) {
        hang(opened, drain.stuck(stuck, now));
      }
      if (!any) {
        writeRingIfDue(opened);
      }
      if (window.isOver() && !stopped) {
        stop(DETACH_NANOS);
      }
      if (!any) {
        LockSupport.parkNanos(IDLE_NANOS);
      }
    }
  }

  /** A call blocked for long; its own records come with the next flush. */
  private void writeRingIfDue(Output opened) {
    if (ringDueSince != 0 && lastFlushBegun > ringDueSince && lastFlush > lastFlushBegun) {
      ringDueSince = 0;
      log.accept("a call was blocked for long: " + opened.snapshot(null));
    }
  }

  /**
   * What was delivered is written; then a forced flush, which may never return, gets its chance.
   */
  private void hang(Output opened, String words) {
    log.accept("hang: " + words + "; " + opened.snapshot(null));
    daemon(
            "eddyline-forced-flush",
            () -> {
              Shim.flush(1);
              LockSupport.parkNanos(options.flushNanos());
              log.accept("hang: a forced flush returned; " + opened.snapshot(null));
            })
        .start();
  }

  private void blocked(BlockedCall call) {
    try {
      options.onBlocked().accept(call);
    } catch (RuntimeException e) {
      // A listener's fault ends no recording; it is told once.
      if (!listenerFailed) {
        listenerFailed = true;
        log.accept("a listener for blocked calls failed: " + e);
      }
    }
    long now = System.nanoTime();
    if (options.ringNanos() > 0
        && options.ringBlockNanos() > 0
        && call.nanos() >= options.ringBlockNanos()
        && now - ringWrittenAt >= options.ringNanos()) {
      ringWrittenAt = now;
      ringDueSince = now;
    }
  }

  /** After a stop: when nothing is in flight, or a flush after the stop brought nothing more. */
  private boolean isOver(long busy) {
    if (!stopped) {
      return false;
    }
    long now = System.nanoTime();
    if (now >= deadline) {
      return true;
    }
    return now - busy > QUIET_NANOS && lastFlush - busy > QUIET_NANOS && nothingInFlight();
  }

  private static boolean nothingInFlight() {
    return ShimCounters.read().inFlight() == 0;
  }

  private void flush(Drain drain) {
    drain.ownThread(Shim.threadId());
    while (ended.getCount() > 0) {
      LockSupport.parkNanos(options.flushNanos());
      lastFlushBegun = System.nanoTime();
      Shim.flush(0);
      lastFlush = System.nanoTime();
    }
  }

  // ---- the end ----

  private void stop(long nanosToEnd) {
    synchronized (stopping) {
      long until = System.nanoTime() + nanosToEnd;
      deadline = stopped ? Math.min(deadline, until) : until;
      if (!stopped) {
        Shim.stopStacks();
        Shim.stop();
        stopped = true;
      }
    }
    Thread flush = daemon("eddyline-last-flush", () -> Shim.flush(0));
    flush.start();
    try {
      flush.join(FLUSH_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean awaitEnd(long millis) {
    try {
      return ended.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public boolean isActive() {
    return ended.getCount() > 0;
  }

  @Override
  public String info() {
    Output now = output;
    return now == null ? outcome : outcome + "\n" + now.info();
  }

  @Override
  public String snapshot(@Nullable Path target) {
    Output now = output;
    return now == null ? outcome : now.snapshot(target);
  }

  @Override
  public String detach() {
    stop(DETACH_NANOS);
    return awaitEnd(DETACH_ANSWER_MILLIS - FLUSH_MILLIS)
        ? outcome
        : "detached; the file is complete when the work in flight has ended";
  }

  @Override
  public void shutdown() {
    stop(SHUTDOWN_NANOS);
    awaitEnd(TimeUnit.NANOSECONDS.toMillis(SHUTDOWN_NANOS));
    Shim.setDrop(Shim.REFUSE);
  }

  @Override
  public Consumer<ByteBuffer> marks() {
    return marks;
  }
}
