package dev.eddyline.analysis.importer.kineto;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ToIntFunction;

/**
 * Finds what belongs to a text by its characters, without making a String of it: an open hash table
 * from texts to numbers. A text that is new is made a String once and numbered by {@code added}.
 * The hash is keyed at random, so that no file can be made whose texts all collide.
 */
final class TextTable {
  private static final int FIRST_SIZE = 1 << 10;
  private final long key = new SplittableRandom().nextLong() | 1;
  private final ToIntFunction<String> added;
  private char[][] texts = new char[FIRST_SIZE][];
  private int[] hashes = new int[FIRST_SIZE];
  private int[] values = new int[FIRST_SIZE];
  private int size;
  private long characters;

  TextTable(ToIntFunction<String> added) {
    this.added = added;
  }

  /** How many characters all texts have together. */
  long characters() {
    return characters;
  }

  /** The number of a text. */
  int get(char[] source, int offset, int length) {
    int hash = hash(source, offset, length);
    int mask = texts.length - 1;
    int at = hash & mask;
    while (texts[at] != null) {
      char[] known = texts[at];
      if (hashes[at] == hash
          && known.length == length
          && Arrays.equals(known, 0, length, source, offset, offset + length)) {
        return values[at];
      }
      at = at + 1 & mask;
    }
    return add(source, offset, length, hash);
  }

  private int add(char[] source, int offset, int length, int hash) {
    int value = added.applyAsInt(new String(source, offset, length));
    if (size * 2 >= texts.length) {
      grow();
    }
    characters += length;
    size++;
    put(Arrays.copyOfRange(source, offset, offset + length), hash, value);
    return value;
  }

  private void put(char[] text, int hash, int value) {
    int at = hash & texts.length - 1;
    while (texts[at] != null) {
      at = at + 1 & texts.length - 1;
    }
    texts[at] = text;
    hashes[at] = hash;
    values[at] = value;
  }

  private void grow() {
    char[][] oldTexts = texts;
    int[] oldHashes = hashes;
    int[] oldValues = values;
    texts = new char[oldTexts.length * 2][];
    hashes = new int[texts.length];
    values = new int[texts.length];
    for (int i = 0; i < oldTexts.length; i++) {
      if (oldTexts[i] != null) {
        put(oldTexts[i], oldHashes[i], oldValues[i]);
      }
    }
  }

  private int hash(char[] source, int offset, int length) {
    long h = length;
    int end = offset + length;
    int i = offset;
    for (; i + 4 <= end; i += 4) {
      long four =
          source[i]
              | (long) source[i + 1] << 16
              | (long) source[i + 2] << 32
              | (long) source[i + 3] << 48;
      h = (h ^ four) * key;
      h ^= h >>> 29;
    }
    for (; i < end; i++) {
      h = (h ^ source[i]) * key;
      h ^= h >>> 29;
    }
    return (int) (h >>> 32) ^ (int) h;
  }
}
