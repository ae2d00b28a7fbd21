package dev.eddyline.device.sim;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.DataType;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Event;
import dev.eddyline.device.Grid;
import dev.eddyline.device.Kernel;
import dev.eddyline.device.Misuse;
import dev.eddyline.device.Stream;
import dev.eddyline.trace.RecordType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A stream: its last item, and how many of its launches wait in the queue. */
final class SimStream implements Stream {
  /** How a stream relates to the legacy default stream. */
  enum Flags {
    BLOCKING,
    NON_BLOCKING,
    LEGACY,
    PER_THREAD
  }

  final World world;
  final SimDevice device;
  final Flags flags;
  final int recorded;
  private final String name;
  private final long handle;
  private final int priority;

  @Nullable Item tail;
  private int pendingOps;
  private long stagedBytes;
  private final ArrayDeque<Item> staged = new ArrayDeque<>(4);
  private final List<SimThread> waitForRoom = new ArrayList<>(1);
  private boolean closed;

  SimStream(SimDevice device, Flags flags, String name, long handle, int priority, int recorded) {
    this.world = device.process.world;
    this.device = device;
    this.flags = flags;
    this.name = name;
    this.handle = handle;
    this.priority = priority;
    this.recorded = recorded;
  }

  int priority() {
    return priority;
  }

  boolean isIdle() {
    return tail == null || tail.done;
  }

  /** Whether it orders, and is ordered by, the legacy default stream. */
  boolean followsLegacy() {
    return flags == Flags.BLOCKING || flags == Flags.PER_THREAD;
  }

  // ---- enqueuing ----

  SimThread enter() {
    SimThread thread = SimThread.current();
    if (closed) {
      throw Misuse.destroyed("stream '" + label() + "'");
    }
    device.enter(thread);
    return thread;
  }

  /** Puts an item behind what is here, and where legacy rules want it; submits it. */
  void enqueue(Item item) {
    item.after(tail);
    if (flags == Flags.LEGACY) {
      device.orderBehindBlocking(item);
    } else if (followsLegacy()) {
      item.after(device.legacyTail());
    }
    tail = item;
    if (!item.isInstant()) {
      pendingOps++;
    }
    item.submit();
  }

  /** An item of this stream is done. */
  void completed(Item item) {
    if (!item.isInstant()) {
      pendingOps--;
      if (!waitForRoom.isEmpty()) {
        waitForRoom.forEach(thread -> world.wake(thread, item.doneAt + Costs.RETURN));
        waitForRoom.clear();
      }
    }
  }

  /** Waits until the launch queue has room. */
  void awaitRoom(SimThread thread) {
    int most = world.options.launchQueue() - 1;
    if (pendingOps < most) {
      return;
    }
    world.see(thread);
    while (pendingOps >= most) {
      waitForRoom.add(thread);
      thread.sleepUntil(
          Long.MAX_VALUE, "waits for room in the launch queue of stream '" + label() + "'");
    }
  }

  /** Launches an op by a call that has begun; writes the call. */
  Item launch(SimThread thread, Api api, Item.Kind kind, long start, OpWork work) {
    device.lock.pass(thread, DriverLock.Use.ENQUEUE, api);
    awaitRoom(thread);
    boolean blocked = thread.now > start;
    thread.spend(work.hostCost());
    Item item = new Item(this, kind, thread.now + Costs.START_LATENCY);
    SimProcess process = device.process;
    item.correlation = process.nextCorrelation();
    item.name = work.name();
    item.cost = world.schedule.duration(work.nanos());
    item.demand = work.demand();
    item.facts = work.facts();
    item.body = work.body();
    process.recorder.memory.op(thread, start, this, item.correlation, work.accesses());
    enqueue(item);
    boolean waits = work.blocks() && awaitEnd(thread, item, api);
    process.recorder.call(thread, start, thread.now, api, item.correlation, 0);
    if (blocked || waits) {
      process.recorder.stack(thread, start, thread.now);
    }
    return item;
  }

  /** Waits for an op's end in the call that made it; whether it was not done already. */
  private boolean awaitEnd(SimThread thread, Item item, Api api) {
    String waiting = api.waiting(label());
    return api == Api.COPY || api == Api.FILL
        ? thread.awaitHolding(List.of(item), waiting, device.lock, false)
        : thread.awaitDone(item, waiting);
  }

  /**
   * Waits, in an asynchronous upload from pageable memory, until the driver has staging memory for
   * it or the stream is idle: driver 580 keeps at most 2 MB of a busy stream.
   */
  void awaitStaging(SimThread thread, long bytes) {
    if (stagedBytes + bytes <= Costs.STAGING) {
      return;
    }
    world.see(thread);
    forgetStaged();
    for (Item before = pending();
        before != null && stagedBytes + bytes > Costs.STAGING;
        before = pending()) {
      Item first = staged.peek();
      boolean roomComes = first != null && bytes <= Costs.STAGING;
      thread.awaitDone(roomComes ? first : before, Api.COPY_ASYNC.waiting(label()));
      forgetStaged();
    }
  }

  /** An upload whose bytes wait in staging memory. */
  void stage(Item upload) {
    staged.add(upload);
    stagedBytes += upload.facts.bytes();
  }

  private void forgetStaged() {
    for (Item first = staged.peek(); first != null && first.done; first = staged.peek()) {
      stagedBytes -= first.facts.bytes();
      staged.poll();
    }
  }

  /** Something that the next item would have to wait for, or null. */
  private @Nullable Item pending() {
    if (!isIdle()) {
      return tail;
    }
    if (flags == Flags.LEGACY) {
      for (SimStream other : device.blockingStreams()) {
        if (!other.isIdle()) {
          return other.tail;
        }
      }
    } else if (followsLegacy()) {
      Item legacy = device.legacyTail();
      return legacy == null || legacy.done ? null : legacy;
    }
    return null;
  }

  @Override
  public void launch(Kernel kernel, Grid grid, Object... arguments) {
    SimThread thread = enter();
    long start = thread.now;
    SimArguments bound = SimArguments.of(kernel, grid, device, arguments);
    OpWork work =
        new OpWork(
            device.process.recorder.name(kernel.name()),
            Costs.LAUNCH,
            kernel.cost().nanos(bound),
            device.processors.demand(grid.blocks(), grid.threads()),
            OpFacts.kernel(grid.blocks(), grid.threads()),
            Accesses.kernel(kernel, bound),
            () -> kernel.body().run(bound),
            false);
    launch(thread, Api.LAUNCH_KERNEL, Item.Kind.KERNEL, start, work);
  }

  @Override
  public void copy(Buffer target, Buffer source) {
    SimThread thread = enter();
    Transfers.copy(this, thread, thread.now, target, source, false);
  }

  @Override
  public void fill(Buffer target, int value) {
    SimThread thread = enter();
    Transfers.fill(this, thread, thread.now, target, value, false);
  }

  @Override
  public void hostFunction(String functionName, Runnable body) {
    SimThread thread = enter();
    OpWork work =
        new OpWork(
            device.process.recorder.name(functionName),
            Costs.HOST_FUNCTION,
            Costs.CALLBACK,
            0,
            OpFacts.NONE,
            Accesses.NONE,
            body,
            false);
    launch(thread, Api.LAUNCH_HOST_FUNCTION, Item.Kind.HOST_FUNCTION, thread.now, work);
  }

  // ---- order ----

  @Override
  public void record(Event event) {
    SimThread thread = enter();
    record(thread, SimEvent.of(event), Api.EVENT_RECORD);
  }

  void record(SimThread thread, SimEvent event, Api api) {
    event.checkUsable(device);
    long start = thread.now;
    boolean held = device.lock.pass(thread, DriverLock.Use.ENQUEUE, api);
    thread.spend(Costs.RECORD);
    Item item = new Item(this, Item.Kind.RECORD, thread.now);
    enqueue(item);
    SimProcess process = device.process;
    event.recorded(item, process.nextSyncId());
    long correlation = process.nextCorrelation();
    process.recorder.call(thread, start, thread.now, api, correlation, 0);
    process.recorder.record(process, correlation, this, event);
    if (held) {
      process.recorder.stack(thread, start, thread.now);
    }
  }

  @Override
  public void waitFor(Event event) {
    SimThread thread = enter();
    waitFor(thread, SimEvent.of(event), Api.STREAM_WAIT_EVENT);
  }

  void waitFor(SimThread thread, SimEvent event, Api api) {
    event.checkOpen();
    long start = thread.now;
    thread.spend(Costs.WAIT);
    Item item = new Item(this, Item.Kind.WAIT, thread.now);
    item.after(event.latest());
    enqueue(item);
    SimProcess process = device.process;
    long correlation = process.nextCorrelation();
    process.recorder.call(thread, start, thread.now, api, correlation, 0);
    process.recorder.await(process, correlation, this, event);
  }

  @Override
  public void synchronize() {
    SimThread thread = enter();
    long start = thread.now;
    thread.spend(Costs.SYNC);
    String waiting = Api.STREAM_SYNCHRONIZE.waiting(label());
    boolean blocked = false;
    if (flags == Flags.LEGACY) {
      for (SimStream other : device.blockingStreams()) {
        blocked |= thread.awaitDone(other.tail, waiting);
      }
    }
    blocked |= thread.awaitDone(tail, waiting);
    device.checkHealth();
    recordSync(thread, start, Api.STREAM_SYNCHRONIZE, 0);
    if (blocked) {
      device.process.recorder.stack(thread, start, thread.now);
    }
  }

  private void recordSync(SimThread thread, long start, Api api, int result) {
    SimProcess process = device.process;
    long correlation = process.nextCorrelation();
    process.recorder.call(thread, start, thread.now, api, correlation, result);
    process.recorder.sync(
        process,
        correlation,
        RecordType.Sync.KIND_STREAM,
        recorded,
        null,
        start,
        thread.now - start);
  }

  @Override
  public boolean isDone() {
    SimThread thread = enter();
    long start = thread.now;
    thread.spend(Costs.QUERY);
    world.see(thread);
    boolean idle = isIdle();
    if (flags == Flags.LEGACY) {
      for (SimStream other : device.blockingStreams()) {
        idle &= other.isIdle();
      }
    }
    device.checkHealth();
    recordSync(thread, start, Api.STREAM_QUERY, idle ? 0 : Api.NOT_READY);
    return idle;
  }

  // ---- memory ----

  @Override
  public Buffer allocate(DataType type, long count) {
    SimThread thread = enter();
    return device.memory.allocateInOrder(this, thread, type, count);
  }

  @Override
  public void free(Buffer buffer) {
    SimThread thread = enter();
    device.memory.freeInOrder(this, thread, buffer);
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    if (flags == Flags.LEGACY || flags == Flags.PER_THREAD) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT, "stream '" + label() + "' is a default stream and stays");
    }
    SimThread thread = enter();
    long start = thread.now;
    thread.spend(Costs.STREAM);
    closed = true;
    device.release(this);
    device.process.recorder.call(
        thread, start, thread.now, Api.STREAM_DESTROY, device.process.nextCorrelation(), 0);
  }

  // ---- what it is ----

  /** Its stream from the API. */
  static SimStream of(Stream stream) {
    if (stream instanceof SimStream sim) {
      return sim;
    }
    throw new DeviceException(
        Reason.INVALID_ARGUMENT, "stream '" + stream.name() + "' is of another kind of device");
  }

  /** Its name, else its handle. */
  String label() {
    return name.isEmpty() ? Long.toString(handle) : name;
  }

  @Override
  public SimDevice device() {
    return device;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isBlocking() {
    return flags != Flags.NON_BLOCKING;
  }

  @Override
  public long handle() {
    return handle;
  }

  @Override
  public String toString() {
    return "stream " + label();
  }
}
