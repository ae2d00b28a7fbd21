package dev.eddyline.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ColumnCodecTest {
  private static final byte ARRAY_OF_2 = (byte) 0x82;
  private static final byte ARRAY_OF_3 = (byte) 0x83;

  private static byte[] encoded(Column.Encoding encoding, long... values) {
    CborOutput out = new CborOutput();
    ColumnCodec.encode(encoding, values, values.length, out);
    return Arrays.copyOf(out.bytes(), out.size());
  }

  @ParameterizedTest
  @EnumSource(Column.Encoding.class)
  void tellsAConstantByItsBaseAlone(Column.Encoding encoding) {
    assertThat(encoded(encoding, 5, 5, 5)).containsExactly(ARRAY_OF_2, 0, 5);
    assertThat(encoded(encoding, -1)).containsExactly(ARRAY_OF_2, 0, 0x20);
  }

  @Test
  void tellsOffsetsFromTheSmallest() {
    assertThat(encoded(Column.Encoding.PLAIN, 12, 10, 11))
        .containsExactly(ARRAY_OF_3, 0, 10, 0xD8, 64, 0x43, 2, 0, 1);
  }

  @Test
  void tellsZigzagDifferences() {
    assertThat(encoded(Column.Encoding.DELTA, 1000, 1001, 999))
        .containsExactly(ARRAY_OF_3, 1, 0x19, 0x03, 0xE8, 0xD8, 64, 0x43, 0, 2, 3);
  }

  @Test
  void takesTheOtherEncodingWhereItIsShorter() {
    assertThat(encoded(Column.Encoding.PLAIN, 0, 200, 400)[1]).isEqualTo((byte) 0);
    assertThat(encoded(Column.Encoding.PLAIN, 0, 100, 200, 300)[1]).isEqualTo((byte) 1);
    assertThat(encoded(Column.Encoding.DELTA, 0, 255, 0)[1]).isEqualTo((byte) 0);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 64",
    "255, 64",
    "256, 69",
    "65535, 69",
    "65536, 70",
    "4294967295, 70",
    "4294967296, 71",
    "-1, 64",
    "9223372036854775807, 71",
    "-9223372036854775808, 71"
  })
  void takesTheNarrowestWidth(long other, int tag) {
    byte[] bytes = encoded(Column.Encoding.PLAIN, 0, other, 0, other);
    CborOutput base = new CborOutput();
    base.integer(Math.min(0, other));
    assertThat(bytes[2 + base.size()]).isEqualTo((byte) 0xD8);
    assertThat(bytes[3 + base.size()]).isEqualTo((byte) tag);
  }

  @Test
  void decodesWhatItEncodes() {
    Random random = new Random(11);
    long[] extremes = {Long.MIN_VALUE, Long.MAX_VALUE, 0, -1, 1, Integer.MIN_VALUE, 1L << 32};
    for (int round = 0; round < 2000; round++) {
      int bits = random.nextInt(65);
      long[] values = new long[1 + random.nextInt(40)];
      for (int i = 0; i < values.length; i++) {
        long value = bits == 64 ? extremes[random.nextInt(extremes.length)] : random.nextLong();
        values[i] = bits == 0 ? 3 : value >> (64 - bits);
      }
      Column.Encoding encoding =
          random.nextBoolean() ? Column.Encoding.PLAIN : Column.Encoding.DELTA;
      assertThat(decoded(encoded(encoding, values), values.length)).isEqualTo(values);
    }
  }

  private static long[] decoded(byte[] bytes, int rows) {
    int encoding = bytes[1];
    int at = 2;
    int major = bytes[at] & 0xE0;
    int info = bytes[at++] & 0x1F;
    int extra = info < 24 ? 0 : 1 << info - 24;
    long base = info < 24 ? info : 0;
    for (int i = 0; i < extra; i++) {
      base = base << 8 | bytes[at++] & 0xFF;
    }
    base = major == 0x20 ? ~base : base;
    long[] values = new long[rows];
    if (bytes[0] == ARRAY_OF_2) {
      Arrays.fill(values, base);
      return values;
    }
    int width = ColumnCodec.widthOf(bytes[at + 1] & 0xFF);
    byte[] numbers = Arrays.copyOfRange(bytes, bytes.length - rows * width, bytes.length);
    ColumnCodec.decode(encoding, base, numbers, width, values, rows);
    return values;
  }

  @Test
  void zstdJniIsTheCompressorHere() {
    assertThat(Compressors.best(1).isRaw()).isFalse();
    assertThat(Zstd.magicNumber()).isEqualTo(0xFD2FB528);
  }
}
