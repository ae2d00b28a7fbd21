package dev.eddyline.cuda;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.DataType;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Event;
import dev.eddyline.device.Grid;
import dev.eddyline.device.Kernel;
import dev.eddyline.device.Misuse;
import dev.eddyline.device.Stream;
import dev.eddyline.device.StreamOptions;
import org.bytedeco.cuda.cudart.CUstream_st;
import org.bytedeco.cuda.global.cudart;
import org.jspecify.annotations.Nullable;

/** A stream of CUDA's runtime. */
final class CudaStream implements Stream {
  /** The handles that CUDA keeps for its two default streams. */
  private static final long LEGACY = 1;

  private static final long PER_THREAD = 2;

  private final CudaDevice device;
  private final String name;
  private final boolean blocking;
  private final long handle;
  private final CUstream_st pointer;

  /** Of a per-thread default stream: its handle means another stream on every thread. */
  private final @Nullable Thread owner;

  private volatile boolean closed;

  private CudaStream(
      CudaDevice device, String name, boolean blocking, long handle, @Nullable Thread owner) {
    this.device = device;
    this.name = name;
    this.blocking = blocking;
    this.handle = handle;
    this.owner = owner;
    this.pointer = Raw.stream(handle);
  }

  static CudaStream made(CudaDevice device, StreamOptions options, long handle) {
    return new CudaStream(device, options.name(), options.blocking(), handle, null);
  }

  static CudaStream legacy(CudaDevice device) {
    return new CudaStream(device, "", true, LEGACY, null);
  }

  static CudaStream perThread(CudaDevice device) {
    return new CudaStream(device, "", true, PER_THREAD, Thread.currentThread());
  }

  static CudaStream of(Stream stream) {
    if (stream instanceof CudaStream cuda) {
      return cuda;
    }
    throw new DeviceException(
        Reason.INVALID_ARGUMENT, "stream '" + stream.name() + "' is of another kind of device");
  }

  CUstream_st pointer() {
    return pointer;
  }

  ThreadState enter() {
    if (closed) {
      throw Misuse.destroyed("stream '" + label() + "'");
    }
    Thread of = owner;
    if (of != null && of != Thread.currentThread()) {
      throw new DeviceException(
          Reason.NOT_PERMITTED,
          "this is the per-thread default stream of thread '"
              + of.getName()
              + "'; CUDA would take it for the one of the calling thread: ask for"
              + " perThreadDefaultStream() there, or use a stream that you make");
    }
    return device.enter();
  }

  // ---- work ----

  @Override
  public void launch(Kernel kernel, Grid grid, Object... arguments) {
    ThreadState state = enter();
    state.arguments.launch(device.kernels().function(kernel), kernel, grid, this, arguments);
  }

  @Override
  public void copy(Buffer target, Buffer source) {
    enter();
    CudaBuffer to = CudaBuffer.of(target);
    CudaBuffer from = CudaBuffer.of(source);
    CudaMemory.checkCopy(to, from);
    Faults.check(
        cudart.cudaMemcpyAsync(
            to.raw(), from.raw(), to.bytes(), CudaMemory.direction(to, from), pointer),
        "cudaMemcpyAsync");
  }

  @Override
  public void fill(Buffer target, int value) {
    enter();
    CudaBuffer to = CudaBuffer.of(target);
    CudaMemory.checkFill(to);
    Faults.check(cudart.cudaMemsetAsync(to.raw(), value, to.bytes(), pointer), "cudaMemsetAsync");
  }

  @Override
  public void hostFunction(String functionName, Runnable body) {
    enter();
    HostFunctions.launch(this, functionName, body);
  }

  // ---- order ----

  @Override
  public void record(Event event) {
    enter();
    CudaEvent cuda = CudaEvent.of(event);
    cuda.recordOn(device);
    Faults.check(cudart.cudaEventRecord(cuda.pointer(), pointer), "cudaEventRecord");
  }

  @Override
  public void waitFor(Event event) {
    enter();
    CudaEvent cuda = CudaEvent.of(event);
    cuda.checkOpen();
    Faults.check(cudart.cudaStreamWaitEvent(pointer, cuda.pointer(), 0), "cudaStreamWaitEvent");
  }

  @Override
  public void synchronize() {
    enter();
    Faults.check(cudart.cudaStreamSynchronize(pointer), "cudaStreamSynchronize");
    device.checkHealth();
  }

  @Override
  public boolean isDone() {
    enter();
    int code = cudart.cudaStreamQuery(pointer);
    if (code == Faults.NOT_READY) {
      return false;
    }
    Faults.check(code, "cudaStreamQuery");
    return true;
  }

  // ---- memory in stream order ----

  @Override
  public Buffer allocate(DataType type, long count) {
    enter();
    return CudaMemory.allocateInOrder(this, type, count);
  }

  @Override
  public void free(Buffer buffer) {
    enter();
    CudaMemory.freeInOrder(this, CudaBuffer.of(buffer));
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    if (handle == LEGACY || handle == PER_THREAD) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT, "stream '" + label() + "' is a default stream and stays");
    }
    enter();
    closed = true;
    Faults.check(cudart.cudaStreamDestroy(pointer), "cudaStreamDestroy");
  }

  // ---- what it is ----

  String label() {
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
  public boolean isBlocking() {
    return blocking;
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
