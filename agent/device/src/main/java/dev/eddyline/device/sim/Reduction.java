package dev.eddyline.device.sim;

import dev.eddyline.device.DataType;
import dev.eddyline.device.Half;
import dev.eddyline.device.ReduceOp;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Reduces in the order of ranks. Floats add up in their own precision, half ones in single
 * precision and are rounded once; integers wrap.
 */
final class Reduction {
  private Reduction() {}

  static void reduce(ReduceOp op, DataType type, List<ByteBuffer> inputs, ByteBuffer out) {
    int count = out.remaining() / type.bytes();
    switch (type) {
      case FLOAT32, FLOAT16, BFLOAT16 -> singles(op, type, inputs, out, count);
      case FLOAT64 -> doubles(op, inputs, out, count);
      default -> integers(op, type, inputs, out, count);
    }
  }

  private static void singles(
      ReduceOp op, DataType type, List<ByteBuffer> inputs, ByteBuffer out, int count) {
    for (int i = 0; i < count; i++) {
      float value = single(type, inputs.get(0), i);
      for (int rank = 1; rank < inputs.size(); rank++) {
        float next = single(type, inputs.get(rank), i);
        value =
            switch (op) {
              case SUM, AVG -> value + next;
              case PROD -> value * next;
              case MIN -> Math.min(value, next);
              case MAX -> Math.max(value, next);
            };
      }
      if (op == ReduceOp.AVG) {
        value /= inputs.size();
      }
      switch (type) {
        case FLOAT32 -> out.putFloat(i * Float.BYTES, value);
        case FLOAT16 -> out.putShort(i * Short.BYTES, Half.fromFloat(value));
        default -> out.putShort(i * Short.BYTES, Half.bfloatFromFloat(value));
      }
    }
  }

  private static float single(DataType type, ByteBuffer from, int index) {
    return switch (type) {
      case FLOAT32 -> from.getFloat(index * Float.BYTES);
      case FLOAT16 -> Half.toFloat(from.getShort(index * Short.BYTES));
      default -> Half.bfloatToFloat(from.getShort(index * Short.BYTES));
    };
  }

  private static void doubles(ReduceOp op, List<ByteBuffer> inputs, ByteBuffer out, int count) {
    for (int i = 0; i < count; i++) {
      double value = inputs.get(0).getDouble(i * Double.BYTES);
      for (int rank = 1; rank < inputs.size(); rank++) {
        double next = inputs.get(rank).getDouble(i * Double.BYTES);
        value =
            switch (op) {
              case SUM, AVG -> value + next;
              case PROD -> value * next;
              case MIN -> Math.min(value, next);
              case MAX -> Math.max(value, next);
            };
      }
      out.putDouble(i * Double.BYTES, op == ReduceOp.AVG ? value / inputs.size() : value);
    }
  }

  private static void integers(
      ReduceOp op, DataType type, List<ByteBuffer> inputs, ByteBuffer out, int count) {
    for (int i = 0; i < count; i++) {
      long value = integer(type, inputs.get(0), i);
      for (int rank = 1; rank < inputs.size(); rank++) {
        value = next(op, type, value, integer(type, inputs.get(rank), i));
      }
      if (op == ReduceOp.AVG) {
        value =
            type == DataType.UINT64
                ? Long.divideUnsigned(value, inputs.size())
                : wrapped(type, value) / inputs.size();
      }
      switch (type.bytes()) {
        case Byte.BYTES -> out.put(i, (byte) value);
        case Integer.BYTES -> out.putInt(i * Integer.BYTES, (int) value);
        default -> out.putLong(i * Long.BYTES, value);
      }
    }
  }

  private static long next(ReduceOp op, DataType type, long value, long next) {
    return switch (op) {
      case SUM, AVG -> value + next;
      case PROD -> value * next;
      case MIN -> isLess(type, next, value) ? next : value;
      case MAX -> isLess(type, value, next) ? next : value;
    };
  }

  private static boolean isLess(DataType type, long a, long b) {
    return type == DataType.UINT64 ? Long.compareUnsigned(a, b) < 0 : a < b;
  }

  private static long integer(DataType type, ByteBuffer from, int index) {
    return switch (type) {
      case INT8 -> from.get(index);
      case UINT8 -> from.get(index) & 0xFF;
      case INT32 -> from.getInt(index * Integer.BYTES);
      case UINT32 -> from.getInt(index * Integer.BYTES) & 0xFFFF_FFFFL;
      default -> from.getLong(index * Long.BYTES);
    };
  }

  /** The value that the type would hold. */
  private static long wrapped(DataType type, long value) {
    return switch (type) {
      case INT8 -> (byte) value;
      case UINT8 -> value & 0xFF;
      case INT32 -> (int) value;
      case UINT32 -> value & 0xFFFF_FFFFL;
      default -> value;
    };
  }
}
