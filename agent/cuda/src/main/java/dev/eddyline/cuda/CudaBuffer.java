package dev.eddyline.cuda;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.DataType;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.HostBuffer;
import dev.eddyline.device.Misuse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.bytedeco.javacpp.Pointer;
import org.jspecify.annotations.Nullable;

/** A view of an allocation: device, pinned or pageable memory. */
final class CudaBuffer implements HostBuffer {
  /** What was allocated at once. */
  static final class Allocation {
    final long address;
    final boolean pooled;

    /** Pageable memory lives as long as this. */
    private final @Nullable ByteBuffer pageable;

    volatile boolean freed;

    Allocation(long address, boolean pooled, @Nullable ByteBuffer pageable) {
      this.address = address;
      this.pooled = pooled;
      this.pageable = pageable;
    }
  }

  private final CudaDevice device;
  private final Kind kind;
  private final Allocation allocation;
  private final long offset;
  private final DataType type;
  private final long count;
  private final Raw raw;
  private @Nullable ByteBuffer view;

  CudaBuffer(
      CudaDevice device, Kind kind, Allocation allocation, long offset, DataType type, long count) {
    this.device = device;
    this.kind = kind;
    this.allocation = allocation;
    this.offset = offset;
    this.type = type;
    this.count = count;
    this.raw = Raw.memory(allocation.address + offset, count * type.bytes());
  }

  static CudaBuffer of(Buffer buffer) {
    if (buffer instanceof CudaBuffer cuda) {
      return cuda;
    }
    throw new DeviceException(
        Reason.INVALID_ARGUMENT, "the buffer belongs to another kind of device");
  }

  Pointer raw() {
    return raw;
  }

  Allocation allocation() {
    return allocation;
  }

  /** Whether it begins where its allocation does. */
  boolean isWhole() {
    return offset == 0;
  }

  /** Memory that was freed is found out here; CUDA would not always tell. */
  void checkUsable() {
    if (allocation.freed) {
      throw new DeviceException(Reason.INVALID_ARGUMENT, "the buffer was freed before this call");
    }
  }

  @Override
  public ByteBuffer memory() {
    if (kind == Kind.DEVICE) {
      throw new DeviceException(Reason.INVALID_ARGUMENT, "the host cannot read device memory");
    }
    checkUsable();
    ByteBuffer known = view;
    if (known == null) {
      known = newView();
      view = known;
    }
    return known.duplicate().order(ByteOrder.nativeOrder());
  }

  private ByteBuffer newView() {
    if (bytes() > Integer.MAX_VALUE) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT,
          "the host can look at 2 GiB at once, not at " + bytes() + " bytes: take slices");
    }
    ByteBuffer pageable = allocation.pageable;
    return pageable == null
        ? raw.asByteBuffer()
        : pageable.slice(Math.toIntExact(offset), Math.toIntExact(bytes()));
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public CudaDevice device() {
    return device;
  }

  @Override
  public long address() {
    return allocation.address + offset;
  }

  @Override
  public DataType type() {
    return type;
  }

  @Override
  public long count() {
    return count;
  }

  @Override
  public CudaBuffer slice(long from, long length) {
    Misuse.checkSlice(from, length, count);
    return new CudaBuffer(device, kind, allocation, offset + from * type.bytes(), type, length);
  }

  @Override
  public CudaBuffer as(DataType other) {
    return new CudaBuffer(device, kind, allocation, offset, other, bytes() / other.bytes());
  }

  @Override
  public String toString() {
    return count + " × " + type.shortName() + " of " + kind;
  }
}
