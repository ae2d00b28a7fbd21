package dev.eddyline.cuda;

import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Event;
import dev.eddyline.device.Misuse;
import org.bytedeco.cuda.cudart.CUevent_st;
import org.bytedeco.cuda.global.cudart;

/** An event of CUDA's runtime, with timing. */
final class CudaEvent implements Event {
  private static final double NANOS_OF_MS = 1_000_000;

  private final CudaDevice device;
  private final String name;
  private final long handle;
  private final CUevent_st pointer;
  private volatile boolean recorded;
  private volatile boolean closed;

  CudaEvent(CudaDevice device, String name, long handle) {
    this.device = device;
    this.name = name;
    this.handle = handle;
    this.pointer = Raw.event(handle);
  }

  static CudaEvent of(Event event) {
    if (event instanceof CudaEvent cuda) {
      return cuda;
    }
    throw new DeviceException(
        Reason.INVALID_ARGUMENT, "event '" + event.name() + "' is of another kind of device");
  }

  CUevent_st pointer() {
    return pointer;
  }

  void checkOpen() {
    if (closed) {
      throw Misuse.destroyed("event '" + label() + "'");
    }
  }

  /** It is about to be recorded on a device. */
  void recordOn(CudaDevice on) {
    checkOpen();
    if (on != device) {
      throw Misuse.recordedElsewhere(label(), device, on);
    }
    recorded = true;
  }

  private void enter() {
    checkOpen();
    device.enter();
  }

  @Override
  public boolean isDone() {
    enter();
    int code = cudart.cudaEventQuery(pointer);
    if (code == Faults.NOT_READY) {
      return false;
    }
    Faults.check(code, "cudaEventQuery");
    return true;
  }

  @Override
  public void synchronize() {
    enter();
    Faults.check(cudart.cudaEventSynchronize(pointer), "cudaEventSynchronize");
    device.checkHealth();
  }

  @Override
  public long nanosSince(Event earlier) {
    CudaEvent begin = of(earlier);
    begin.checkOpen();
    checkDone();
    begin.checkDone();
    float[] millis = new float[1];
    Faults.check(
        cudart.cudaEventElapsedTime(millis, begin.pointer, pointer), "cudaEventElapsedTime");
    return Math.round(millis[0] * NANOS_OF_MS);
  }

  private void checkDone() {
    if (!recorded || !isDone()) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT,
          "event '" + label() + "' " + (recorded ? "is not done" : "was never recorded"));
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    enter();
    closed = true;
    Faults.check(cudart.cudaEventDestroy(pointer), "cudaEventDestroy");
  }

  private String label() {
    return name.isEmpty() ? Long.toString(handle) : name;
  }

  @Override
  public CudaDevice device() {
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
