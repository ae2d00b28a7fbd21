package dev.eddyline.device;

import java.nio.ByteBuffer;

/** Memory of the host. Reading and writing it is the program's own doing: no call orders it. */
public interface HostBuffer extends Buffer {
  /**
   * The bytes as they are now, in native order; changes go through. On the simulated host ask again
   * after time has passed: copies that are due by then have been carried out.
   */
  ByteBuffer memory();

  @Override
  HostBuffer slice(long from, long count);

  @Override
  HostBuffer as(DataType type);

  /** Reads an element of {@link DataType#FLOAT32}. */
  default float getFloat(long index) {
    return memory().getFloat(Math.toIntExact(index * Float.BYTES));
  }

  /** Writes an element of {@link DataType#FLOAT32}. */
  default void putFloat(long index, float value) {
    memory().putFloat(Math.toIntExact(index * Float.BYTES), value);
  }

  /** Writes elements of {@link DataType#FLOAT32} from the beginning. */
  default void putFloats(float... values) {
    memory().asFloatBuffer().put(values);
  }

  /** All elements of {@link DataType#FLOAT32}. */
  default float[] getFloats() {
    float[] values = new float[Math.toIntExact(count())];
    memory().asFloatBuffer().get(values);
    return values;
  }
}
