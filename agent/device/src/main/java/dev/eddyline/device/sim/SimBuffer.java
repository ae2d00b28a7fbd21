package dev.eddyline.device.sim;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.DataType;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.HostBuffer;
import dev.eddyline.device.Misuse;
import dev.eddyline.trace.RecordType.Access;
import java.nio.ByteBuffer;

/** A view of a block: device, pinned or pageable memory. */
final class SimBuffer implements HostBuffer {
  final Block block;
  private final SimDevice device;
  private final Kind kind;
  private final long offset;
  private final DataType type;
  private final long count;

  SimBuffer(SimDevice device, Kind kind, Block block, long offset, DataType type, long count) {
    this.device = device;
    this.kind = kind;
    this.block = block;
    this.offset = offset;
    this.type = type;
    this.count = count;
  }

  static SimBuffer of(Buffer buffer) {
    if (buffer instanceof SimBuffer sim) {
      return sim;
    }
    throw new DeviceException(
        Reason.INVALID_ARGUMENT, "the buffer belongs to another kind of device");
  }

  /** The bytes, for the engine: no time passes. */
  ByteBuffer data() {
    return block.slice(offset, bytes());
  }

  /** Whether it is all of its block. */
  boolean isWhole() {
    return offset == 0;
  }

  /** Memory of {@code cudaMalloc} that was freed is found out at once. */
  void checkUsable() {
    if (block.freed && !block.pooled) {
      throw new DeviceException(Reason.INVALID_ARGUMENT, "the buffer was freed before this call");
    }
  }

  @Override
  public ByteBuffer memory() {
    return access(Access.KIND_UNKNOWN, 0, bytes());
  }

  /** The bytes for the program, which does something with a part of them. */
  private ByteBuffer access(int accessKind, long from, long bytes) {
    if (kind == Kind.DEVICE) {
      throw new DeviceException(Reason.INVALID_ARGUMENT, "the host cannot read device memory");
    }
    SimThread thread = SimThread.currentOrNull();
    if (thread != null && !device.process.world.insideBody) {
      if (block.pending > 0) {
        device.process.world.see(thread);
      }
      device.process.recorder.memory.host(thread, this, from, bytes, accessKind);
    }
    return data();
  }

  /** The first bytes of it. */
  SimBuffer first(long bytes) {
    return new SimBuffer(device, kind, block, offset, DataType.INT8, bytes);
  }

  @Override
  public float getFloat(long index) {
    return access(Access.KIND_READ, index * Float.BYTES, Float.BYTES)
        .getFloat(Math.toIntExact(index * Float.BYTES));
  }

  @Override
  public void putFloat(long index, float value) {
    access(Access.KIND_WRITE, index * Float.BYTES, Float.BYTES)
        .putFloat(Math.toIntExact(index * Float.BYTES), value);
  }

  @Override
  public void putFloats(float... values) {
    access(Access.KIND_WRITE, 0, (long) values.length * Float.BYTES).asFloatBuffer().put(values);
  }

  @Override
  public float[] getFloats() {
    float[] values = new float[Math.toIntExact(count)];
    access(Access.KIND_READ, 0, bytes()).asFloatBuffer().get(values);
    return values;
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public SimDevice device() {
    return device;
  }

  @Override
  public long address() {
    return block.address + offset;
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
  public SimBuffer slice(long from, long length) {
    Misuse.checkSlice(from, length, count);
    return new SimBuffer(device, kind, block, offset + from * type.bytes(), type, length);
  }

  @Override
  public SimBuffer as(DataType other) {
    return new SimBuffer(device, kind, block, offset, other, bytes() / other.bytes());
  }

  @Override
  public String toString() {
    return count + " × " + type.shortName() + " of " + kind;
  }
}
