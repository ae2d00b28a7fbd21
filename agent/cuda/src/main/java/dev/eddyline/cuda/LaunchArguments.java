package dev.eddyline.cuda;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Grid;
import dev.eddyline.device.Kernel;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.bytedeco.cuda.cudart.CUfunc_st;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of one launch, as {@code cuLaunchKernel} reads them: an array of addresses of
 * values. Every thread has one, made once; CUDA has read it when the launch returns.
 */
final class LaunchArguments {
  private static final int MOST = 128;
  private static final int SLOT = 8;

  private final ByteBuffer values =
      ByteBuffer.allocateDirect(MOST * SLOT).order(ByteOrder.nativeOrder());
  private final ByteBuffer addresses =
      ByteBuffer.allocateDirect(MOST * SLOT).order(ByteOrder.nativeOrder());
  private @Nullable PointerPointer<Pointer> pointer;

  void launch(
      CUfunc_st function, Kernel kernel, Grid grid, CudaStream stream, Object... arguments) {
    put(kernel, stream.device(), arguments);
    int code =
        cudart.cuLaunchKernel(
            function,
            grid.blocksX(),
            grid.blocksY(),
            grid.blocksZ(),
            grid.threadsX(),
            grid.threadsY(),
            grid.threadsZ(),
            grid.sharedBytes(),
            stream.pointer(),
            pointer(),
            null);
    if (code != 0) {
      throw Faults.of(code, "cuLaunchKernel of '" + kernel.name() + "'");
    }
  }

  private PointerPointer<Pointer> pointer() {
    PointerPointer<Pointer> known = pointer;
    if (known == null) {
      long first = new Pointer(values).address();
      for (int i = 0; i < MOST; i++) {
        addresses.putLong(i * SLOT, first + (long) i * SLOT);
      }
      known = new PointerPointer<>(new Raw(new Pointer(addresses).address()));
      pointer = known;
    }
    return known;
  }

  /** Writes the values; apart from the launch so that it can be tested without a GPU. */
  void put(Kernel kernel, CudaDevice device, Object... arguments) {
    if (arguments.length > MOST) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT,
          "kernel '"
              + kernel.name()
              + "' is given "
              + arguments.length
              + " arguments; "
              + MOST
              + " are possible: put them into a buffer");
    }
    for (int i = 0; i < arguments.length; i++) {
      put(kernel, device, i, arguments[i]);
    }
  }

  private void put(Kernel kernel, CudaDevice device, int index, Object argument) {
    int at = index * SLOT;
    if (argument instanceof Buffer buffer) {
      values.putLong(at, address(kernel, device, index, CudaBuffer.of(buffer)));
    } else if (argument instanceof Integer number) {
      values.putInt(at, number);
    } else if (argument instanceof Long number) {
      values.putLong(at, number);
    } else if (argument instanceof Float number) {
      values.putFloat(at, number);
    } else if (argument instanceof Double number) {
      values.putDouble(at, number);
    } else {
      throw wrong(
          kernel, index, argument.getClass().getName() + ", neither Buffer nor a number of CUDA");
    }
  }

  private static long address(Kernel kernel, CudaDevice device, int index, CudaBuffer buffer) {
    buffer.checkUsable();
    if (buffer.kind() == Buffer.Kind.PAGEABLE) {
      throw wrong(kernel, index, "pageable host memory, which a kernel cannot reach");
    }
    if (buffer.kind() == Buffer.Kind.DEVICE && buffer.device() != device) {
      throw wrong(kernel, index, "memory of device " + buffer.device().ordinal());
    }
    return buffer.address();
  }

  private static DeviceException wrong(Kernel kernel, int index, String what) {
    return new DeviceException(
        Reason.INVALID_ARGUMENT,
        "argument " + index + " of kernel '" + kernel.name() + "' is " + what);
  }

  /** The bytes of an argument, for tests. */
  ByteBuffer values() {
    return values;
  }
}
