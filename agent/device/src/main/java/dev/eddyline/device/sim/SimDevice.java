package dev.eddyline.device.sim;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Event;
import dev.eddyline.device.HostBuffer;
import dev.eddyline.device.Stream;
import dev.eddyline.device.StreamOptions;
import dev.eddyline.trace.RecordType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A simulated GPU of one process. */
final class SimDevice implements Device {
  /** Ids that CUPTI shows for the legacy default stream and for the first that a user makes. */
  private static final long LEGACY_ID = 7;

  private static final long FIRST_ID = 13;

  final SimProcess process;
  final Processors processors;
  final CopyEngines copyEngines;
  final Memory memory;
  final DriverLock lock;
  private final int ordinal;
  private final Handles streamHandles = new Handles(FIRST_ID);
  private final Handles eventHandles = new Handles(1);
  private final SimStream legacy;
  private final List<SimStream> streams = new ArrayList<>();
  private final List<SimStream> blocking = new ArrayList<>();
  private @Nullable String fault;

  SimDevice(SimProcess process, int ordinal) {
    this.process = process;
    this.ordinal = ordinal;
    World world = process.world;
    this.processors = new Processors(world, world.options.multiprocessors());
    this.copyEngines = new CopyEngines(world);
    this.lock = new DriverLock(world);
    this.memory = new Memory(this, world.options.memoryBytes());
    process.recorder.device(process, ordinal, name(), multiprocessors());
    this.legacy = register(SimStream.Flags.LEGACY, "", LEGACY_ID, 0, 0);
  }

  private SimStream register(
      SimStream.Flags flags, String name, long id, int generation, int priority) {
    int recorded = process.recorder.stream(process, ordinal, id, generation, flags, name);
    SimStream stream = new SimStream(this, flags, name, id, priority, recorded);
    streams.add(stream);
    if (stream.followsLegacy()) {
      blocking.add(stream);
    }
    return stream;
  }

  // ---- order ----

  @Nullable Item legacyTail() {
    return legacy.tail;
  }

  void orderBehindBlocking(Item item) {
    for (SimStream stream : blocking) {
      item.after(stream.tail);
    }
  }

  List<SimStream> blockingStreams() {
    return blocking;
  }

  // ---- faults ----

  void fail(String what, Throwable thrown) {
    if (fault == null) {
      fault = "'" + what + "' failed on device " + ordinal + ": " + thrown;
    }
  }

  /** Throws what failed here before, as CUDA does at every later call. */
  void checkHealth() {
    if (fault != null) {
      throw new DeviceException(Reason.LAUNCH_FAILED, fault);
    }
  }

  /** Begins a call on this device. */
  void enter(SimThread thread) {
    if (thread.process != process) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT,
          thread.describe() + " uses a device of rank " + process.rank + ", another process");
    }
    thread.enter();
    checkHealth();
  }

  private SimThread enter() {
    SimThread thread = SimThread.current();
    enter(thread);
    return thread;
  }

  /** Writes a call that has ended now. */
  void called(SimThread thread, long start, Api api) {
    process.recorder.call(thread, start, thread.now, api, process.nextCorrelation(), 0);
  }

  // ---- streams ----

  @Override
  public Stream createStream(StreamOptions options) {
    SimThread thread = enter();
    long start = thread.now;
    lock.pass(thread, DriverLock.Use.ALLOCATE, Api.STREAM_CREATE);
    thread.spend(Costs.STREAM);
    SimStream stream =
        makeStream(
            options.blocking() ? SimStream.Flags.BLOCKING : SimStream.Flags.NON_BLOCKING,
            options.name(),
            options.priority());
    called(thread, start, Api.STREAM_CREATE);
    return stream;
  }

  SimStream makeStream(SimStream.Flags flags, String name, int priority) {
    long id = streamHandles.take();
    return register(flags, name, id, streamHandles.generation(id), priority);
  }

  SimStream makePerThreadStream(SimThread thread) {
    return makeStream(SimStream.Flags.PER_THREAD, "", 0);
  }

  void release(SimStream stream) {
    streamHandles.giveBack(stream.handle());
    streams.remove(stream);
    // A destroyed blocking stream still orders the legacy stream while its work runs.
    blocking.removeIf(other -> other == stream && other.isIdle());
  }

  @Override
  public Stream defaultStream() {
    return legacy;
  }

  @Override
  public Stream perThreadDefaultStream() {
    return SimThread.current().perThreadStream(this);
  }

  @Override
  public Stream currentStream() {
    return SimThread.current().currentStream(this);
  }

  /** That a stream is the current one of a thread; one object for each time. */
  static final class Use {
    private final SimStream stream;

    private Use(SimStream stream) {
      this.stream = stream;
    }

    SimStream stream() {
      return stream;
    }
  }

  @Override
  public Scope use(Stream stream) {
    SimStream sim = SimStream.of(stream);
    if (sim.device() != this) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT, stream + " is not one of device " + ordinal);
    }
    return SimThread.current().use(new Use(sim));
  }

  // ---- events ----

  @Override
  public Event createEvent(String name) {
    SimThread thread = enter();
    long start = thread.now;
    thread.spend(Costs.EVENT);
    SimEvent event = new SimEvent(this, name, eventHandles.take());
    called(thread, start, Api.EVENT_CREATE);
    return event;
  }

  /** An event that no call of the program made. */
  SimEvent makeEvent(String name) {
    return new SimEvent(this, name, eventHandles.take());
  }

  void releaseEvent(long handle) {
    eventHandles.giveBack(handle);
  }

  // ---- memory ----

  @Override
  public Buffer allocate(DataType type, long count) {
    return memory.allocate(enter(), type, count);
  }

  @Override
  public void free(Buffer buffer) {
    if (buffer.kind() == Buffer.Kind.DEVICE) {
      memory.free(enter(), SimBuffer.of(buffer));
    } else {
      free((HostBuffer) SimBuffer.of(buffer));
    }
  }

  @Override
  public HostBuffer allocatePinned(DataType type, long count) {
    return memory.allocatePinned(enter(), type, count);
  }

  @Override
  public HostBuffer allocatePageable(DataType type, long count) {
    return memory.allocatePageable(type, count);
  }

  @Override
  public void free(HostBuffer buffer) {
    if (buffer.kind() == Buffer.Kind.PINNED) {
      memory.freePinned(enter(), SimBuffer.of(buffer));
    } else {
      memory.freePageable(SimBuffer.of(buffer));
    }
  }

  @Override
  public void copy(Buffer target, Buffer source) {
    SimThread thread = enter();
    Transfers.copy(legacy, thread, thread.now, target, source, true);
  }

  @Override
  public void fill(Buffer target, int value) {
    SimThread thread = enter();
    Transfers.fill(legacy, thread, thread.now, target, value, true);
  }

  // ---- the whole device ----

  private List<Item> pending() {
    List<Item> last = new ArrayList<>();
    for (SimStream stream : streams) {
      if (stream.tail != null && !stream.tail.done) {
        last.add(stream.tail);
      }
    }
    return last;
  }

  /** Waits for all that is enqueued now, as a call that frees; whether there was such a thing. */
  boolean drainToFree(SimThread thread, Api api) {
    return thread.awaitHolding(pending(), api.waiting("device " + ordinal), lock, true);
  }

  @Override
  public void synchronize() {
    SimThread thread = enter();
    long start = thread.now;
    thread.spend(Costs.SYNC);
    boolean blocked = false;
    for (Item item : pending()) {
      blocked |= thread.awaitDone(item, Api.DEVICE_SYNCHRONIZE.waiting("device " + ordinal));
    }
    checkHealth();
    long correlation = process.nextCorrelation();
    process.recorder.call(thread, start, thread.now, Api.DEVICE_SYNCHRONIZE, correlation, 0);
    process.recorder.sync(
        process,
        correlation,
        RecordType.Sync.KIND_DEVICE,
        (int) RecordType.NONE,
        null,
        start,
        thread.now - start);
    if (blocked) {
      process.recorder.stack(thread, start, thread.now);
    }
  }

  // ---- what it is ----

  @Override
  public int ordinal() {
    return ordinal;
  }

  @Override
  public String name() {
    return "Eddyline simulated device";
  }

  @Override
  public int multiprocessors() {
    return process.world.options.multiprocessors();
  }

  @Override
  public long memoryBytes() {
    return process.world.options.memoryBytes();
  }

  @Override
  public long freeBytes() {
    SimThread thread = enter();
    long start = thread.now;
    thread.spend(Costs.QUERY);
    called(thread, start, Api.MEMORY_INFO);
    return memory.free();
  }

  @Override
  public String toString() {
    return "device " + ordinal + " of rank " + process.rank;
  }
}
