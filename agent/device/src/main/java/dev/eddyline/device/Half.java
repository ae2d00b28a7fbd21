package dev.eddyline.device;

/** Half-precision floats in the bits of a {@code short}; rounds to nearest, ties to even. */
public final class Half {
  private static final int FRACTION = 10;
  private static final int SINGLE_FRACTION = 23;
  private static final int DROPPED = SINGLE_FRACTION - FRACTION;
  private static final float SUBNORMAL = 0x1.0p-24f;
  private static final float LEAST_NORMAL = 0x1.0p-14f;
  private static final float OVERFLOW = 65520f;
  private static final int INFINITY = 0x7C00;

  private Half() {}

  /** The value of an IEEE half. */
  public static float toFloat(short half) {
    int sign = (half & 0x8000) << 16;
    int exponent = half >>> FRACTION & 0x1F;
    int fraction = half & 0x3FF;
    if (exponent == 0x1F) {
      return Float.intBitsToFloat(sign | 0x7F80_0000 | fraction << DROPPED);
    }
    if (exponent == 0) {
      float value = fraction * SUBNORMAL;
      return sign == 0 ? value : -value;
    }
    return Float.intBitsToFloat(sign | exponent + 112 << SINGLE_FRACTION | fraction << DROPPED);
  }

  /** The nearest IEEE half. */
  public static short fromFloat(float value) {
    int bits = Float.floatToRawIntBits(value);
    int sign = bits >>> 16 & 0x8000;
    float size = Math.abs(value);
    if (Float.isNaN(value)) {
      return (short) (sign | 0x7E00);
    }
    if (size >= OVERFLOW) {
      return (short) (sign | INFINITY);
    }
    if (size < LEAST_NORMAL) {
      // Scaled so that one unit is one subnormal step; the sum with 2^23 rounds to whole units.
      float units = size / SUBNORMAL + 0x1.0p23f - 0x1.0p23f;
      return (short) (sign | (int) units);
    }
    int rounded = (bits & 0x7FFF_FFFF) + (1 << DROPPED - 1) - 1 + (bits >>> DROPPED & 1);
    return (short) (sign | (rounded >>> DROPPED) - (112 << FRACTION));
  }

  /** The value of a bfloat16. */
  public static float bfloatToFloat(short bfloat) {
    return Float.intBitsToFloat(bfloat << 16);
  }

  /** The nearest bfloat16. */
  public static short bfloatFromFloat(float value) {
    int bits = Float.floatToRawIntBits(value);
    if (Float.isNaN(value)) {
      return (short) (bits >>> 16 | 0x40);
    }
    return (short) (bits + 0x7FFF + (bits >>> 16 & 1) >>> 16);
  }
}
