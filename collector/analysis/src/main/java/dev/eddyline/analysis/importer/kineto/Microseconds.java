package dev.eddyline.analysis.importer.kineto;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;

/** Reads decimal numbers digit by digit, so that no nanosecond is lost to a double. */
final class Microseconds {
  /** What stands for text that is no number, or one that does not fit. */
  static final long BAD = Long.MIN_VALUE;

  private static final int MAX_DIGITS = 18;
  private static final int MAX_EXPONENT = 40;
  private static final int MAX_LENGTH = 64;

  private Microseconds() {}

  /** Nanoseconds of a decimal number of microseconds, rounded to the nearest; or {@link #BAD}. */
  static long toNanos(byte[] text, int from, int to) {
    return scaled(text, from, to, 3);
  }

  /** A whole number, of which decimals are cut off; or {@link #BAD}. */
  static long toInteger(byte[] text, int from, int to) {
    return scaled(text, from, to, 0);
  }

  private static long scaled(byte[] text, int from, int to, int decimals) {
    int i = from;
    boolean negative = i < to && text[i] == '-';
    i += negative ? 1 : 0;
    long value = 0;
    int digits = 0;
    for (; i < to && isDigit(text[i]); i++) {
      value = value * 10 + (text[i] - '0');
      digits++;
    }
    int missing = decimals;
    if (digits > 0 && i < to && text[i] == '.') {
      i++;
      for (; missing > 0 && i < to && isDigit(text[i]); i++, missing--) {
        value = value * 10 + (text[i] - '0');
        digits++;
      }
      if (decimals > 0 && i < to && isDigit(text[i]) && text[i] >= '5') {
        value++;
      }
      while (i < to && isDigit(text[i])) {
        i++;
      }
    }
    if (digits == 0 || digits + missing > MAX_DIGITS || i < to) {
      return slow(text, from, to, decimals);
    }
    for (; missing > 0; missing--) {
      value *= 10;
    }
    return negative ? -value : value;
  }

  private static boolean isDigit(byte c) {
    return c >= '0' && c <= '9';
  }

  /** Exponents, signs, blanks and very long numbers; bounded, whatever the exponent says. */
  private static long slow(byte[] text, int from, int to, int decimals) {
    if (to - from > MAX_LENGTH) {
      return BAD;
    }
    try {
      BigDecimal value =
          new BigDecimal(new String(text, from, to - from, StandardCharsets.ISO_8859_1).strip());
      long exponent = (long) value.precision() - value.scale();
      if (Math.abs(exponent) > MAX_EXPONENT) {
        return exponent < 0 ? 0 : BAD;
      }
      RoundingMode mode = decimals > 0 ? RoundingMode.HALF_UP : RoundingMode.DOWN;
      return value
          .scaleByPowerOfTen(decimals)
          .setScale(0, mode)
          .toBigIntegerExact()
          .longValueExact();
    } catch (ArithmeticException | NumberFormatException e) {
      return BAD;
    }
  }
}
