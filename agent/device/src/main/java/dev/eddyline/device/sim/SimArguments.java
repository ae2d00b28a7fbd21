package dev.eddyline.device.sim;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Grid;
import dev.eddyline.device.Kernel;
import dev.eddyline.device.KernelArguments;
import java.nio.ByteBuffer;

/** The arguments of one launch. */
final class SimArguments implements KernelArguments {
  private final Grid grid;
  private final Object[] values;

  private SimArguments(Grid grid, Object[] values) {
    this.grid = grid;
    this.values = values;
  }

  static SimArguments of(Kernel kernel, Grid grid, SimDevice device, Object... values) {
    Object[] copy = values.clone();
    for (int i = 0; i < copy.length; i++) {
      if (copy[i] instanceof SimBuffer buffer) {
        buffer.checkUsable();
        if (buffer.kind() == Buffer.Kind.PAGEABLE) {
          throw wrong(kernel, i, "pageable host memory, which a kernel cannot reach");
        }
        if (buffer.kind() == Buffer.Kind.DEVICE && buffer.device() != device) {
          throw wrong(kernel, i, "memory of device " + buffer.device().ordinal());
        }
      } else if (!(copy[i] instanceof Number)) {
        throw wrong(kernel, i, copy[i].getClass().getName() + ", neither Buffer nor number");
      }
    }
    return new SimArguments(grid, copy);
  }

  private static DeviceException wrong(Kernel kernel, int index, String what) {
    return new DeviceException(
        Reason.INVALID_ARGUMENT,
        "argument " + index + " of kernel '" + kernel.name() + "' is " + what);
  }

  @Override
  public int size() {
    return values.length;
  }

  @Override
  public Grid grid() {
    return grid;
  }

  @Override
  public boolean isBuffer(int index) {
    return values[index] instanceof Buffer;
  }

  @Override
  public Buffer buffer(int index) {
    return (Buffer) values[index];
  }

  @Override
  public Number number(int index) {
    return (Number) values[index];
  }

  @Override
  public ByteBuffer bytes(int index) {
    return ((SimBuffer) values[index]).data();
  }
}
