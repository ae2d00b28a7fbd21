package dev.eddyline.group;

import dev.eddyline.device.DataType;
import dev.eddyline.device.Half;
import dev.eddyline.device.ReduceOp;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;

/** Elements of any type in arrays of bytes, and what the collectives make of them. */
final class Elements {
  private Elements() {}

  static boolean isFloat(DataType type) {
    return switch (type) {
      case FLOAT16, BFLOAT16, FLOAT32, FLOAT64 -> true;
      default -> false;
    };
  }

  private static boolean isUnsigned(DataType type) {
    return type == DataType.UINT8 || type == DataType.UINT32 || type == DataType.UINT64;
  }

  static ByteBuffer of(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
  }

  /** Random bits for integers and moves; for floats whole numbers whose sums are exact. */
  static byte[] random(DataType type, int count, ReduceOp op, Random random) {
    byte[] bytes = new byte[count * type.bytes()];
    random.nextBytes(bytes);
    if (isFloat(type)) {
      for (int i = 0; i < count; i++) {
        boolean product = op == ReduceOp.PROD;
        double value = product ? (random.nextBoolean() ? 2 : -1) : random.nextInt(17) - 8;
        putDouble(of(bytes), type, i, value);
      }
    }
    return bytes;
  }

  static double getDouble(ByteBuffer from, DataType type, int i) {
    return switch (type) {
      case FLOAT16 -> Half.toFloat(from.getShort(2 * i));
      case BFLOAT16 -> Half.bfloatToFloat(from.getShort(2 * i));
      case FLOAT32 -> from.getFloat(4 * i);
      default -> from.getDouble(8 * i);
    };
  }

  static void putDouble(ByteBuffer to, DataType type, int i, double value) {
    switch (type) {
      case FLOAT16 -> to.putShort(2 * i, Half.fromFloat((float) value));
      case BFLOAT16 -> to.putShort(2 * i, Half.bfloatFromFloat((float) value));
      case FLOAT32 -> to.putFloat(4 * i, (float) value);
      default -> to.putDouble(8 * i, value);
    }
  }

  private static long getLong(ByteBuffer from, DataType type, int i) {
    return switch (type) {
      case INT8 -> from.get(i);
      case UINT8 -> from.get(i) & 0xFF;
      case INT32 -> from.getInt(4 * i);
      case UINT32 -> from.getInt(4 * i) & 0xFFFF_FFFFL;
      default -> from.getLong(8 * i);
    };
  }

  private static void putLong(ByteBuffer to, DataType type, int i, long value) {
    switch (type) {
      case INT8, UINT8 -> to.put(i, (byte) value);
      case INT32, UINT32 -> to.putInt(4 * i, (int) value);
      default -> to.putLong(8 * i, value);
    }
  }

  /** Reduces whole arrays on the CPU. */
  static byte[] reduce(ReduceOp op, DataType type, List<byte[]> inputs) {
    byte[] result = new byte[inputs.get(0).length];
    for (int i = 0; i < result.length / type.bytes(); i++) {
      if (isFloat(type)) {
        double value = getDouble(of(inputs.get(0)), type, i);
        for (byte[] input : inputs.subList(1, inputs.size())) {
          value = combine(op, value, getDouble(of(input), type, i));
        }
        boolean average = op == ReduceOp.AVG;
        double divided =
            average && type != DataType.FLOAT64
                ? (float) value / inputs.size()
                : average ? value / inputs.size() : value;
        putDouble(of(result), type, i, divided);
      } else {
        putLong(of(result), type, i, reduceLongs(op, type, inputs, i));
      }
    }
    return result;
  }

  private static double combine(ReduceOp op, double a, double b) {
    return switch (op) {
      case SUM, AVG -> a + b;
      case PROD -> a * b;
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
    };
  }

  private static long reduceLongs(ReduceOp op, DataType type, List<byte[]> inputs, int i) {
    long value = getLong(of(inputs.get(0)), type, i);
    for (byte[] input : inputs.subList(1, inputs.size())) {
      long next = getLong(of(input), type, i);
      int compared =
          isUnsigned(type) ? Long.compareUnsigned(value, next) : Long.compare(value, next);
      value =
          switch (op) {
            case SUM, AVG -> value + next;
            case PROD -> value * next;
            case MIN -> compared <= 0 ? value : next;
            case MAX -> compared >= 0 ? value : next;
          };
    }
    return value;
  }

  static byte[] part(byte[] all, int index, int parts) {
    int length = all.length / parts;
    byte[] part = new byte[length];
    System.arraycopy(all, index * length, part, 0, length);
    return part;
  }

  static byte[] concat(List<byte[]> parts) {
    ByteBuffer all = ByteBuffer.allocate(parts.stream().mapToInt(part -> part.length).sum());
    parts.forEach(all::put);
    return all.array();
  }
}
