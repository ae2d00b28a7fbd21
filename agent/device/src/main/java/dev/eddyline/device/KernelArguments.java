package dev.eddyline.device;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/**
 * The arguments of a launch as the body of a kernel sees them. Indices are those of the kernel's
 * parameters. Views change the device's memory; they are valid while the body runs.
 */
public interface KernelArguments {
  /** How many there are. */
  int size();

  /** The grid of the launch. */
  Grid grid();

  /** Whether an argument is a buffer. */
  boolean isBuffer(int index);

  /** An argument that is a buffer. */
  Buffer buffer(int index);

  /** An argument that is a number. */
  Number number(int index);

  /** The bytes of a buffer, in native order. */
  ByteBuffer bytes(int index);

  default FloatBuffer floats(int index) {
    return bytes(index).asFloatBuffer();
  }

  default DoubleBuffer doubles(int index) {
    return bytes(index).asDoubleBuffer();
  }

  default IntBuffer ints(int index) {
    return bytes(index).asIntBuffer();
  }

  default LongBuffer longs(int index) {
    return bytes(index).asLongBuffer();
  }

  default ShortBuffer shorts(int index) {
    return bytes(index).asShortBuffer();
  }
}
