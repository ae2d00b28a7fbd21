package dev.eddyline.marks;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a program says of itself: steps, ranges, names of streams and events, roles, collectives.
 * Each call hands one small record ({@link MarkLayout}) to a sink. Without an agent there is none;
 * then a call is a read of two static fields, and nothing is allocated.
 *
 * <p><b>How agent and marks meet.</b> When this class is initialised it looks in the system class
 * loader for the class {@value #AGENT} and calls its {@code public static Consumer<ByteBuffer>
 * marks()}; null or no such class means no agent. An agent that comes later calls {@link #setSink}
 * in every loaded copy of this class.
 *
 * <p>Threads: any. A sink is called on the thread that marks, must not keep the buffer, and must
 * not throw; what it throws all the same is swallowed, for a recorder never harms its host.
 */
public final class Marks {
  /** Name of the agent's entry class. */
  public static final String AGENT = "dev.eddyline.agent.EddylineAgent";

  /** Its method that gives the sink. */
  public static final String AGENT_METHOD = "marks";

  /** Stands for a number that is not known. */
  public static final long UNKNOWN = -1;

  private static final ThreadLocal<@Nullable Consumer<ByteBuffer>> OWN = new ThreadLocal<>();
  private static final ThreadLocal<MarkWriter> WRITER = ThreadLocal.withInitial(MarkWriter::new);
  private static final Scope NO_SCOPE = () -> {};
  private static final Scope END = Marks::end;

  private static volatile @Nullable Consumer<ByteBuffer> sink = ofAgent();
  private static volatile boolean anyOwn;

  private Marks() {}

  /** Until when a range lasts; closed by the thread that began it. */
  public interface Scope extends AutoCloseable {
    @Override
    void close();
  }

  // ---- sinks ----

  /** Sets the sink of all threads, or takes it away; for an agent. */
  public static void setSink(@Nullable Consumer<ByteBuffer> newSink) {
    sink = newSink;
  }

  /**
   * Sets a sink of the calling thread, which gets its records in place of the agent's; for
   * simulated devices, several of which may run in one JVM.
   */
  public static void setThreadSink(@Nullable Consumer<ByteBuffer> newSink) {
    if (newSink == null) {
      OWN.remove();
    } else {
      anyOwn = true;
      OWN.set(newSink);
    }
  }

  /** Whether somebody listens to the calling thread. */
  public static boolean isOn() {
    return current() != null;
  }

  private static @Nullable Consumer<ByteBuffer> current() {
    if (anyOwn) {
      Consumer<ByteBuffer> own = OWN.get();
      if (own != null) {
        return own;
      }
    }
    return sink;
  }

  @SuppressWarnings("unchecked")
  private static @Nullable Consumer<ByteBuffer> ofAgent() {
    try {
      Class<?> agent = Class.forName(AGENT, true, ClassLoader.getSystemClassLoader());
      return (Consumer<ByteBuffer>) agent.getMethod(AGENT_METHOD).invoke(null);
    } catch (ReflectiveOperationException | LinkageError | RuntimeException noAgent) {
      return null;
    }
  }

  private static void give(Consumer<ByteBuffer> to, MarkWriter record) {
    try {
      to.accept(record.finish());
    } catch (Throwable recorderIsAtFault) {
      // A recorder never harms its host.
    }
  }

  // ---- steps and ranges ----

  /** Begins a step of the program on this thread; end it with {@link #end}. */
  public static void beginStep(String name) {
    begin(MarkLayout.STEP_BEGIN, name);
  }

  /** Begins a named range on this thread; ranges nest, and end with {@link #end}. */
  public static void begin(String name) {
    begin(MarkLayout.RANGE_BEGIN, name);
  }

  private static void begin(int kind, String name) {
    Consumer<ByteBuffer> to = current();
    if (to != null) {
      give(to, WRITER.get().begin(kind).text(name));
    }
  }

  /** Ends the innermost step or range of this thread. */
  public static void end() {
    Consumer<ByteBuffer> to = current();
    if (to != null) {
      give(to, WRITER.get().begin(MarkLayout.END));
    }
  }

  /** A step until the scope is closed. */
  public static Scope step(String name) {
    if (current() == null) {
      return NO_SCOPE;
    }
    beginStep(name);
    return END;
  }

  /** A range until the scope is closed. */
  public static Scope range(String name) {
    if (current() == null) {
      return NO_SCOPE;
    }
    begin(name);
    return END;
  }

  // ---- names and roles ----

  /**
   * Names a stream.
   *
   * @param device its device's number in this process
   * @param stream its handle
   */
  public static void nameStream(int device, long stream, String name) {
    named(MarkLayout.STREAM_NAME, device, stream, name);
  }

  /** Names an event. */
  public static void nameEvent(int device, long event, String name) {
    named(MarkLayout.EVENT_NAME, device, event, name);
  }

  /** Gives a stream a role from now on: "nccl", "fragment", "recovery". */
  public static void role(int device, long stream, String role) {
    named(MarkLayout.ROLE, device, stream, role);
  }

  private static void named(int kind, int device, long handle, String name) {
    Consumer<ByteBuffer> to = current();
    if (to != null) {
      give(to, WRITER.get().begin(kind).number(device).number(handle).text(name));
    }
  }

  // ---- collectives ----

  /**
   * Describes the collective that this thread calls next on its library. In a group all its
   * collectives are described one by one, each right before its call.
   *
   * @param communicator name of the communicator, the same on all ranks
   * @param sequence number within communicator and kind, from 0
   * @param kind "allreduce", "send", …
   * @param dtype type of the elements, as "f32"
   * @param countIn elements that go in
   * @param countOut elements that come out
   * @param groupSize ranks of the communicator
   * @param sendAddress where the input lies
   * @param receiveAddress where the output comes
   * @param device number of the device in this process
   * @param stream handle of the stream
   * @param workEvent handle of the event that the returned handle waits for, {@link #UNKNOWN} if
   *     there is none
   */
  public static void collective(
      String communicator,
      long sequence,
      String kind,
      String dtype,
      long countIn,
      long countOut,
      int groupSize,
      long sendAddress,
      long receiveAddress,
      int device,
      long stream,
      long workEvent) {
    Consumer<ByteBuffer> to = current();
    if (to == null) {
      return;
    }
    MarkWriter record = WRITER.get().begin(MarkLayout.COLLECTIVE);
    record.number(sequence).number(countIn).number(countOut).number(groupSize);
    record.number(sendAddress).number(receiveAddress);
    record.number(device).number(stream).number(workEvent);
    give(to, record.text(communicator).text(kind).text(dtype));
  }

  /**
   * The outermost group of this thread is about to be closed: its launches follow, made by this
   * thread or, where communicators do not block, by one of the library's own.
   */
  public static void beginLaunch() {
    Consumer<ByteBuffer> to = current();
    if (to != null) {
      give(to, WRITER.get().begin(MarkLayout.LAUNCH_BEGIN));
    }
  }

  /** The launches of the group that {@link #beginLaunch} told of are made, or have failed. */
  public static void endLaunch() {
    Consumer<ByteBuffer> to = current();
    if (to != null) {
      give(to, WRITER.get().begin(MarkLayout.LAUNCH_END));
    }
  }

  // ---- memory ----

  /** Kinds of memory: ordinary host memory, page-locked host memory, memory of a device. */
  public static final int PAGEABLE = 0;

  public static final int PINNED = 1;
  public static final int DEVICE = 2;

  /** What is done with memory. */
  public static final int READ = 0;

  public static final int WRITE = 1;
  public static final int READ_AND_WRITE = 2;

  /**
   * An allocator of the program's own handed out a block: one that keeps freed memory and asks CUDA
   * for none. Calls of CUDA need no mark.
   *
   * @param device the device's number in this process, {@link #UNKNOWN} for host memory
   * @param stream handle of the stream whose work may use it without more ado, {@link #UNKNOWN} if
   *     the allocator knows no streams
   * @param memory {@link #PAGEABLE}, {@link #PINNED} or {@link #DEVICE}
   * @param name a name for reports, "" for none
   */
  public static void allocated(
      int device, long stream, int memory, long address, long bytes, String name) {
    Consumer<ByteBuffer> to = current();
    if (to != null) {
      MarkWriter record = WRITER.get().begin(MarkLayout.ALLOCATED).number(device).number(stream);
      give(to, record.number(memory).number(address).number(bytes).text(name));
    }
  }

  /** The program gave a block back; from now on the allocator may hand it out again. */
  public static void freed(int device, long stream, long address) {
    Consumer<ByteBuffer> to = current();
    if (to != null) {
      give(to, WRITER.get().begin(MarkLayout.FREED).number(device).number(stream).number(address));
    }
  }

  /**
   * Another stream uses a block: the allocator keeps it back, when it is freed, until that stream
   * has done what was enqueued then.
   */
  public static void usedOn(int device, long stream, long address) {
    Consumer<ByteBuffer> to = current();
    if (to != null) {
      give(
          to, WRITER.get().begin(MarkLayout.USED_ON).number(device).number(stream).number(address));
    }
  }

  /** A block that was kept back after its free can be handed out again. */
  public static void released(int device, long address) {
    Consumer<ByteBuffer> to = current();
    if (to != null) {
      give(to, WRITER.get().begin(MarkLayout.RELEASED).number(device).number(address));
    }
  }

  /**
   * Declares that the next launch of this thread accesses a part of memory; as many of them as it
   * has parts. What is declared of a launch holds in place of what its arguments let guess.
   *
   * @param kind {@link #READ}, {@link #WRITE} or {@link #READ_AND_WRITE}
   */
  public static void access(int kind, long address, long bytes) {
    access(kind, address, bytes, 0);
  }

  /** The calling thread itself reads or writes host memory now. */
  public static void hostAccess(int kind, long address, long bytes) {
    access(kind, address, bytes, 1);
  }

  private static void access(int kind, long address, long bytes, int byHost) {
    Consumer<ByteBuffer> to = current();
    if (to != null) {
      MarkWriter record = WRITER.get().begin(MarkLayout.ACCESS).number(kind).number(address);
      give(to, record.number(bytes).number(byHost));
    }
  }
}
