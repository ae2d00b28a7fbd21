package dev.eddyline.cuda;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Event;
import dev.eddyline.device.HostBuffer;
import dev.eddyline.device.Kernel;
import dev.eddyline.device.Stream;
import dev.eddyline.device.StreamOptions;
import java.util.List;
import org.bytedeco.cuda.cudart.CUevent_st;
import org.bytedeco.cuda.cudart.CUstream_st;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.javacpp.SizeTPointer;
import org.jspecify.annotations.Nullable;

/** A GPU by CUDA's runtime. */
final class CudaDevice implements Device {
  private static final int NAME_BYTES = 256;

  private final int ordinal;
  private final int number;
  private final String name;
  private final int multiprocessors;
  private final long memoryBytes;
  private final CudaStream legacy;
  private final CudaKernels kernels;
  private volatile @Nullable String fault;

  /**
   * Opens it.
   *
   * @param ordinal its number in this process's list
   * @param number CUDA's number
   */
  CudaDevice(int ordinal, int number, List<String> includePaths) {
    this.ordinal = ordinal;
    this.number = number;
    ThreadState.get().enter(this);
    byte[] text = new byte[NAME_BYTES];
    Faults.check(cudart.cuDeviceGetName(text, text.length, number), "cuDeviceGetName");
    this.name = Faults.terminated(text);
    this.multiprocessors = attribute(cudart.cudaDevAttrMultiProcessorCount);
    String architecture =
        "sm_"
            + attribute(cudart.cudaDevAttrComputeCapabilityMajor)
            + attribute(cudart.cudaDevAttrComputeCapabilityMinor);
    this.kernels = new CudaKernels(architecture, includePaths);
    this.memoryBytes = memoryInfo(true);
    this.legacy = CudaStream.legacy(this);
  }

  private int attribute(int which) {
    int[] value = new int[1];
    Faults.check(cudart.cudaDeviceGetAttribute(value, which, number), "cudaDeviceGetAttribute");
    return value[0];
  }

  private static long memoryInfo(boolean total) {
    try (SizeTPointer free = new SizeTPointer(1);
        SizeTPointer all = new SizeTPointer(1)) {
      Faults.check(cudart.cudaMemGetInfo(free, all), "cudaMemGetInfo");
      return total ? all.get() : free.get();
    }
  }

  /** CUDA's number of it. */
  int number() {
    return number;
  }

  CudaKernels kernels() {
    return kernels;
  }

  ThreadState enter() {
    ThreadState state = ThreadState.get();
    state.enter(this);
    return state;
  }

  /** A host function threw: every later call says so. */
  void fail(String what, Throwable thrown) {
    if (fault == null) {
      fault = "'" + what + "' failed on device " + ordinal + ": " + thrown;
    }
  }

  void checkHealth() {
    String known = fault;
    if (known != null) {
      throw new DeviceException(Reason.LAUNCH_FAILED, known);
    }
  }

  // ---- streams ----

  @Override
  public Stream createStream(StreamOptions options) {
    enter();
    CUstream_st made = new CUstream_st();
    int flags = options.blocking() ? cudart.cudaStreamDefault : cudart.cudaStreamNonBlocking;
    Faults.check(
        cudart.cudaStreamCreateWithPriority(made, flags, options.priority()),
        "cudaStreamCreateWithPriority");
    return CudaStream.made(this, options, made.address());
  }

  @Override
  public CudaStream defaultStream() {
    return legacy;
  }

  @Override
  public Stream perThreadDefaultStream() {
    return enter().perThreadStream(this);
  }

  @Override
  public Stream currentStream() {
    return ThreadState.get().currentStream(this);
  }

  @Override
  public Scope use(Stream stream) {
    CudaStream cuda = CudaStream.of(stream);
    if (cuda.device() != this) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT, stream + " is not one of device " + ordinal);
    }
    return ThreadState.get().use(cuda);
  }

  @Override
  public void load(Kernel... wanted) {
    enter();
    for (Kernel kernel : wanted) {
      kernels.function(kernel);
    }
  }

  // ---- events ----

  @Override
  public Event createEvent(String eventName) {
    enter();
    CUevent_st made = new CUevent_st();
    Faults.check(cudart.cudaEventCreate(made), "cudaEventCreate");
    return new CudaEvent(this, eventName, made.address());
  }

  // ---- memory ----

  @Override
  public Buffer allocate(DataType type, long count) {
    enter();
    return CudaMemory.allocate(this, type, count);
  }

  @Override
  public void free(Buffer buffer) {
    enter();
    CudaMemory.free(CudaBuffer.of(buffer));
  }

  @Override
  public HostBuffer allocatePinned(DataType type, long count) {
    enter();
    return CudaMemory.allocatePinned(this, type, count);
  }

  @Override
  public HostBuffer allocatePageable(DataType type, long count) {
    return CudaMemory.allocatePageable(this, type, count);
  }

  @Override
  public void free(HostBuffer buffer) {
    enter();
    CudaMemory.free(CudaBuffer.of(buffer));
  }

  @Override
  public void copy(Buffer target, Buffer source) {
    enter();
    CudaBuffer to = CudaBuffer.of(target);
    CudaBuffer from = CudaBuffer.of(source);
    CudaMemory.checkCopy(to, from);
    Faults.check(
        cudart.cudaMemcpy(to.raw(), from.raw(), to.bytes(), CudaMemory.direction(to, from)),
        "cudaMemcpy");
  }

  @Override
  public void fill(Buffer target, int value) {
    enter();
    CudaBuffer to = CudaBuffer.of(target);
    CudaMemory.checkFill(to);
    Faults.check(cudart.cudaMemset(to.raw(), value, to.bytes()), "cudaMemset");
  }

  // ---- the whole device ----

  @Override
  public void synchronize() {
    enter();
    Faults.check(cudart.cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    checkHealth();
  }

  // ---- what it is ----

  @Override
  public int ordinal() {
    return ordinal;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int multiprocessors() {
    return multiprocessors;
  }

  @Override
  public long memoryBytes() {
    return memoryBytes;
  }

  @Override
  public long freeBytes() {
    enter();
    return memoryInfo(false);
  }

  @Override
  public String toString() {
    return "device " + ordinal + " (" + name + ")";
  }
}
