package dev.eddyline.recorder.shim;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The native methods. The library must be loaded ({@link ShimLibrary#load}).
 *
 * <p>Threads: {@link #take}, {@link #takeBlocked}, {@link #takeNotes}, {@link #takeLaunches} and
 * {@link #forgetThread} belong to the one thread that drains; the others may be called by any.
 * Times are {@code CLOCK_MONOTONIC} in nanoseconds.
 */
public final class Shim {
  /** States, as {@link #state} returns them. */
  public static final int IDLE = 0;

  public static final int ARMED = 1;
  public static final int STARTING = 2;
  public static final int RUNNING = 3;
  public static final int REFUSED = 4;
  public static final int STOPPED = 5;

  /** What becomes of buffers. */
  public static final int KEEP = 0;

  /** None are handed out. */
  public static final int REFUSE = 1;

  /** They come back unread: what is left then is what CUPTI itself costs. */
  public static final int DISCARD = 2;

  /** Callback domains of CUPTI. */
  public static final int DOMAIN_DRIVER = 1;

  public static final int DOMAIN_RUNTIME = 2;

  /** Most frames of a stack, and most bytes of a thread's name. */
  public static final int MAX_FRAMES = 64;

  public static final int MAX_NAME = 128;

  /** Threads that the shim has room for at a time. */
  public static final int MAX_THREADS = 1024;

  /** Numbers before the frames of a blocked call. */
  public static final int BLOCKED_HEAD = 7;

  /** Numbers that {@link #takeBlocked} fills at most. */
  public static final int BLOCKED_NUMBERS = BLOCKED_HEAD + 2 * MAX_FRAMES;

  /** Numbers of a note: kind, correlation, time, a, b, c, thread, 0. */
  public static final int NOTE_NUMBERS = 8;

  public static final int NOTE_STREAM_CREATED = 1;
  public static final int NOTE_STREAM_DESTROYED = 2;
  public static final int NOTE_CAPTURED_WAIT = 3;
  public static final int NOTE_EVENT_RECORD = 4;
  public static final int NOTE_COPY = 5;
  public static final int NOTE_FILL = 6;
  public static final int NOTE_OWN_CALL = 7;

  /** Bits of the stacks that are wanted of calls however short. */
  public static final int STACKS_RECORD = 1;

  public static final int STACKS_WAIT = 2;
  public static final int STACKS_LAUNCH = 4;

  private Shim() {}

  /**
   * Sets up for a start; memory is taken once in a process, by the first call.
   *
   * @param numbers bytes of a buffer, buffers, bytes of CUPTI's device buffers and how many at most
   *     (0: CUPTI's own), nanoseconds from which a call has blocked, offsets of a kernel's and of a
   *     device's name in their records, whether to ask for monotonic stamps, deep mode, stacks,
   *     whether launches may block
   * @param kinds activity kinds to enable
   * @param places files to try as CUPTI, each ended by a newline, in the platform's encoding
   * @return false without memory, or while it runs
   */
  public static native boolean prepare(long[] numbers, int[] kinds, byte[] places);

  /**
   * Lets the driver start the recording in {@code cuInit}; false if another tool has that place.
   */
  public static native boolean arm(byte[] ownPath);

  /** Starts now; 0, or a code: then {@link #report} has the words. */
  public static native int start(boolean late);

  /** Disables everything; CUPTI stays dormant. Buffers in flight still come back. */
  public static native void stop();

  public static native int state();

  /** Whether CUDA was initialised before the recording began. */
  public static native boolean isLate();

  /** 0: libcuda is not mapped, 1: mapped, 2: initialised. */
  public static native int cudaState();

  /** What cuptiGetVersion says; 0 before a start. */
  public static native int version();

  /** What cuDriverGetVersion says; -1 before a start. */
  public static native int driverVersion();

  /** The CUPTI that is used, in the platform's encoding. */
  public static native byte[] path();

  /** Lines about places tried and errors, in the platform's encoding. */
  public static native byte[] report();

  /** All activity buffers, one after the other. */
  public static native ByteBuffer memory();

  /** Offsets of records within their buffer, four bytes each, as many per buffer as fit at most. */
  public static native ByteBuffer offsets();

  /** Takes a completed buffer: its number, records, bytes; false if there is none. */
  public static native boolean take(int[] into);

  /** Gives a buffer back. */
  public static native void release(int buffer);

  /**
   * The name of a kernel or a device, by the id that stands in its record; C++ names as people
   * write them, if the system's C++ library is there.
   */
  public static native byte[] name(int id);

  /** Name of an API function as CUPTI has it, "" if it knows none. */
  public static native byte[] callbackName(int domain, int id);

  /**
   * Takes a call that blocked: domain, id, correlation, thread, start, end, frames; then {@link
   * #MAX_FRAMES} methods, then as many locations.
   *
   * @return bytes of the thread's name, -1 if there is no such call
   */
  public static native int takeBlocked(long[] into, byte[] name);

  /** Takes notes; returns how many. */
  public static native int takeNotes(long[] into);

  /**
   * Takes launches, each correlation of the driver's call and of the runtime's around it (or 0),
   * time, count and that many words; how many numbers.
   */
  public static native int takeLaunches(long[] into);

  /** Threads that came by, each index, thread id, call (domain &lt;&lt; 16 | id, or 0), since. */
  public static native int threads(long[] into);

  /** Makes room for another thread; for one that has ended. */
  public static native void forgetThread(int index);

  /** Fills the counters, see {@link ShimCounters}. */
  public static native void counters(long[] into);

  /** Flushes; may take as long as the GPU if forced. */
  public static native int flush(int forced);

  /** CUPTI's clock, -1 if it cannot be read. */
  public static native long timestamp();

  /** No stacks from now on: at the end of the JVM no callback may ask it anything. */
  public static native void stopStacks();

  /** {@link #KEEP}, {@link #REFUSE} or {@link #DISCARD} what CUPTI brings from now on. */
  public static native void setDrop(int mode);

  public static native int pushExternal(int kind, long id);

  public static native int popExternal(int kind);

  /** context &lt;&lt; 32 | stream of a handle in the calling thread's context, or -1. */
  public static native long streamOf(long handle);

  /** The operating system's id of the calling thread. */
  public static native int threadId();

  /** Records of this event are noted with its handle from now on. */
  public static native void watch(long event);

  /** Class signature, method name and source file; null if the method is gone. */
  public static native String @Nullable [] method(long id, long location, int[] line);

  /** Base and size of the allocation that an address lies in, as the driver knows it. */
  public static native boolean addressRange(long address, long[] into);
}
