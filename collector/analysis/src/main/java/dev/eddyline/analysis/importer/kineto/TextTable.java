package dev.eddyline.analysis.importer.kineto;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Finds what belongs to a text by its bytes, without making a String of it: an open hash table from
 * texts to numbers. A text that is new is given to {@code added} once, which numbers it. The hash
 * is keyed at random, so that no file can be made whose texts all collide.
 */
final class TextTable {
  /** Numbers a text that was not there yet. */
  interface Numbering {
    int number(byte[] bytes, int from, int to);
  }

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int FIRST_SIZE = 1 << 10;
  private static final int OVERHEAD = 64;

  private final long key = new SplittableRandom().nextLong() | 1;
  private final Numbering added;
  private byte[][] texts = new byte[FIRST_SIZE][];
  private int[] hashes = new int[FIRST_SIZE];
  private int[] values = new int[FIRST_SIZE];
  private int size;
  private long totalBytes;

  TextTable(Numbering added) {
    this.added = added;
  }

  /** How many bytes all texts take together, with what it costs to keep them. */
  long totalBytes() {
    return totalBytes;
  }

  /**
   * The number of a text.
   *
   * @param bytes hold the text, and eight more bytes behind it
   */
  int get(byte[] bytes, int from, int to) {
    int hash = hash(bytes, from, to);
    int mask = texts.length - 1;
    for (int at = hash & mask; texts[at] != null; at = at + 1 & mask) {
      if (hashes[at] == hash && Arrays.equals(texts[at], 0, texts[at].length, bytes, from, to)) {
        return values[at];
      }
    }
    if (size * 2 >= texts.length) {
      grow();
    }
    int value = added.number(bytes, from, to);
    totalBytes += to - from + OVERHEAD;
    size++;
    put(Arrays.copyOfRange(bytes, from, to), hash, value);
    return value;
  }

  private void put(byte[] text, int hash, int value) {
    int at = hash & texts.length - 1;
    while (texts[at] != null) {
      at = at + 1 & texts.length - 1;
    }
    texts[at] = text;
    hashes[at] = hash;
    values[at] = value;
  }

  private void grow() {
    byte[][] oldTexts = texts;
    int[] oldHashes = hashes;
    int[] oldValues = values;
    texts = new byte[oldTexts.length * 2][];
    hashes = new int[texts.length];
    values = new int[texts.length];
    for (int i = 0; i < oldTexts.length; i++) {
      if (oldTexts[i] != null) {
        put(oldTexts[i], oldHashes[i], oldValues[i]);
      }
    }
  }

  private int hash(byte[] bytes, int from, int to) {
    long h = (long) to - from;
    int i = from;
    for (; i + Long.BYTES <= to; i += Long.BYTES) {
      h = (h ^ (long) LONGS.get(bytes, i)) * key;
      h ^= h >>> 29;
    }
    if (i < to) {
      long rest = (long) LONGS.get(bytes, i) & (1L << (to - i) * Byte.SIZE) - 1;
      h = (h ^ rest) * key;
      h ^= h >>> 29;
    }
    return (int) (h >>> 32) ^ (int) h;
  }
}
