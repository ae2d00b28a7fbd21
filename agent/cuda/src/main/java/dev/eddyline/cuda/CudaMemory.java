package dev.eddyline.cuda;

import dev.eddyline.cuda.CudaBuffer.Allocation;
import dev.eddyline.device.Buffer.Kind;
import dev.eddyline.device.DataType;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.SizeTPointer;

/** Allocates, frees, and knows which copies and fills make sense. */
final class CudaMemory {
  private static final int OUT_OF_MEMORY = 2;
  private static final double GIB = 1L << 30;

  private CudaMemory() {}

  static long bytes(DataType type, long count) {
    if (count < 0) {
      throw new DeviceException(Reason.INVALID_ARGUMENT, "a buffer of " + count + " elements");
    }
    return Math.max(1, Math.multiplyExact(count, type.bytes()));
  }

  static CudaBuffer allocate(CudaDevice device, DataType type, long count) {
    long bytes = bytes(type, count);
    Pointer made = new Pointer();
    checkMemory(device, cudart.cudaMalloc(made, bytes), "cudaMalloc", bytes);
    return new CudaBuffer(
        device, Kind.DEVICE, new Allocation(made.address(), false, null), 0, type, count);
  }

  static CudaBuffer allocateInOrder(CudaStream stream, DataType type, long count) {
    long bytes = bytes(type, count);
    Pointer made = new Pointer();
    CudaDevice device = stream.device();
    checkMemory(
        device, cudart.cudaMallocAsync(made, bytes, stream.pointer()), "cudaMallocAsync", bytes);
    return new CudaBuffer(
        device, Kind.DEVICE, new Allocation(made.address(), true, null), 0, type, count);
  }

  static CudaBuffer allocatePinned(CudaDevice device, DataType type, long count) {
    long bytes = bytes(type, count);
    Pointer made = new Pointer();
    Faults.check(cudart.cudaHostAlloc(made, bytes, cudart.cudaHostAllocPortable), "cudaHostAlloc");
    Pointer.memset(new Raw(made.address()), 0, bytes);
    return new CudaBuffer(
        device, Kind.PINNED, new Allocation(made.address(), false, null), 0, type, count);
  }

  static CudaBuffer allocatePageable(CudaDevice device, DataType type, long count) {
    long bytes = bytes(type, count);
    if (bytes > Integer.MAX_VALUE) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT,
          "pageable memory comes in pieces of at most 2 GiB, not of " + bytes + " bytes");
    }
    ByteBuffer memory =
        ByteBuffer.allocateDirect(Math.toIntExact(bytes)).order(ByteOrder.nativeOrder());
    long address = new BytePointer(memory).address();
    return new CudaBuffer(
        device, Kind.PAGEABLE, new Allocation(address, false, memory), 0, type, count);
  }

  private static void checkMemory(CudaDevice device, int code, String call, long bytes) {
    if (code != OUT_OF_MEMORY) {
      Faults.check(code, call);
      return;
    }
    try (SizeTPointer free = new SizeTPointer(1);
        SizeTPointer all = new SizeTPointer(1)) {
      cudart.cudaMemGetInfo(free, all);
      throw new DeviceException(
          Reason.OUT_OF_MEMORY,
          String.format(
              Locale.ROOT,
              "%s failed: cudaErrorMemoryAllocation (2) on device %d: %.3f GiB asked for, %.3f of"
                  + " %.3f GiB in use by all processes; %s",
              call,
              device.ordinal(),
              bytes / GIB,
              (all.get() - free.get()) / GIB,
              all.get() / GIB,
              Faults.advice(OUT_OF_MEMORY)));
    }
  }

  /** Frees memory of any kind by the call that waits for the device, if one is needed. */
  static void free(CudaBuffer buffer) {
    checkFreeable(buffer);
    switch (buffer.kind()) {
      case DEVICE -> Faults.check(cudart.cudaFree(buffer.raw()), "cudaFree");
      case PINNED -> Faults.check(cudart.cudaFreeHost(buffer.raw()), "cudaFreeHost");
      case PAGEABLE -> {
        return;
      }
    }
    buffer.allocation().freed = true;
  }

  static void freeInOrder(CudaStream stream, CudaBuffer buffer) {
    checkFreeable(buffer);
    if (!buffer.allocation().pooled) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT,
          "memory of Device.allocate is freed by Device.free: only what Stream.allocate gave can be"
              + " freed in the order of a stream");
    }
    Faults.check(cudart.cudaFreeAsync(buffer.raw(), stream.pointer()), "cudaFreeAsync");
    buffer.allocation().freed = true;
  }

  private static void checkFreeable(CudaBuffer buffer) {
    if (buffer.allocation().freed || !buffer.isWhole()) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT,
          buffer.allocation().freed ? "the buffer was freed before" : "a slice cannot be freed");
    }
  }

  static void checkCopy(CudaBuffer to, CudaBuffer from) {
    to.checkUsable();
    from.checkUsable();
    if (from.bytes() < to.bytes()) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT,
          "the target has " + to.bytes() + " bytes, but the source " + from.bytes());
    }
  }

  /** CUDA's number of a copy's direction. */
  static int direction(CudaBuffer to, CudaBuffer from) {
    if (from.kind() == Kind.DEVICE) {
      return to.kind() == Kind.DEVICE
          ? cudart.cudaMemcpyDeviceToDevice
          : cudart.cudaMemcpyDeviceToHost;
    }
    return to.kind() == Kind.DEVICE ? cudart.cudaMemcpyHostToDevice : cudart.cudaMemcpyHostToHost;
  }

  static void checkFill(CudaBuffer target) {
    target.checkUsable();
    if (target.kind() == Kind.PAGEABLE) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT, "a fill needs device or pinned memory, not pageable");
    }
  }
}
