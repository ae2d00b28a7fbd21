package dev.eddyline.device.sim;

import dev.eddyline.device.Device;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Event;
import dev.eddyline.device.Misuse;
import dev.eddyline.trace.RecordType;
import org.jspecify.annotations.Nullable;

/** An event: its latest record. */
final class SimEvent implements Event {
  private final SimDevice device;
  private final String name;
  private final long handle;
  private @Nullable Item latest;
  private long syncId;
  private boolean closed;

  SimEvent(SimDevice device, String name, long handle) {
    this.device = device;
    this.name = name;
    this.handle = handle;
  }

  static SimEvent of(Event event) {
    if (event instanceof SimEvent sim) {
      return sim;
    }
    throw new DeviceException(
        Reason.INVALID_ARGUMENT, "event '" + event.name() + "' is of another kind of device");
  }

  @Nullable Item latest() {
    return latest;
  }

  /** Id of the latest record, 0 if there is none. */
  long syncId() {
    return syncId;
  }

  SimProcess process() {
    return device.process;
  }

  void recorded(Item item, long id) {
    latest = item;
    syncId = id;
  }

  void checkOpen() {
    if (closed) {
      throw Misuse.destroyed("event '" + label() + "'");
    }
  }

  void checkUsable(SimDevice on) {
    checkOpen();
    if (on != device) {
      throw Misuse.recordedElsewhere(label(), device, on);
    }
  }

  private SimThread enter() {
    checkOpen();
    SimThread thread = SimThread.current();
    device.enter(thread);
    return thread;
  }

  @Override
  public boolean isDone() {
    SimThread thread = enter();
    long start = thread.now;
    thread.spend(Costs.QUERY);
    device.process.world.see(thread);
    boolean done = latest == null || latest.done;
    device.checkHealth();
    recordSync(thread, start, Api.EVENT_QUERY, done ? 0 : Api.NOT_READY);
    return done;
  }

  @Override
  public void synchronize() {
    SimThread thread = enter();
    long start = thread.now;
    thread.spend(Costs.SYNC);
    boolean blocked = thread.awaitDone(latest, Api.EVENT_SYNCHRONIZE.waiting(label()));
    device.checkHealth();
    recordSync(thread, start, Api.EVENT_SYNCHRONIZE, 0);
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
        RecordType.Sync.KIND_EVENT,
        latest == null ? (int) RecordType.NONE : latest.stream.recorded,
        this,
        start,
        thread.now - start);
  }

  @Override
  public long nanosSince(Event earlier) {
    SimThread thread = enter();
    thread.spend(Costs.EVENT);
    device.process.world.see(thread);
    return time() - of(earlier).time();
  }

  private long time() {
    Item record = latest;
    if (record == null || !record.done) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT,
          "event '" + label() + "' " + (record == null ? "was never recorded" : "is not done"));
    }
    return record.doneAt;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    SimThread thread = enter();
    long start = thread.now;
    thread.spend(Costs.EVENT);
    closed = true;
    device.releaseEvent(handle);
    device.process.recorder.call(
        thread, start, thread.now, Api.EVENT_DESTROY, device.process.nextCorrelation(), 0);
  }

  private String label() {
    return name.isEmpty() ? Long.toString(handle) : name;
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long handle() {
    return handle;
  }

  @Override
  public String toString() {
    return "event " + label();
  }
}
