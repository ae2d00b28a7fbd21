package dev.eddyline.recorder.rows;

import java.util.Arrays;

/** From longs to ints, without an object per entry; for one thread. */
public final class LongIntMap {
  /** What {@link #get} returns for a key that is not there. */
  public static final int ABSENT = -1;

  private static final int FIRST_CAPACITY = 64;
  private long[] keys = new long[FIRST_CAPACITY];
  private int[] values = filled(FIRST_CAPACITY);
  private int size;

  private static int[] filled(int capacity) {
    int[] values = new int[capacity];
    Arrays.fill(values, ABSENT);
    return values;
  }

  /** The value of a key, or {@link #ABSENT}. */
  public int get(long key) {
    return values[slot(key)];
  }

  /** Sets the value of a key; not {@link #ABSENT}. */
  public void put(long key, int value) {
    int slot = slot(key);
    if (values[slot] == ABSENT) {
      if (++size * 2 > keys.length) {
        grow();
        slot = slot(key);
      }
      keys[slot] = key;
    }
    values[slot] = value;
  }

  /** Takes a key out; its value, or {@link #ABSENT}. */
  public int remove(long key) {
    int slot = slot(key);
    int value = values[slot];
    if (value == ABSENT) {
      return ABSENT;
    }
    size--;
    int mask = keys.length - 1;
    int next = slot;
    for (; ; ) {
      values[slot] = ABSENT;
      // Whatever stands behind and belongs here or before moves up, so that no search ends early.
      do {
        next = (next + 1) & mask;
        if (values[next] == ABSENT) {
          return value;
        }
      } while (((next - home(keys[next])) & mask) < ((next - slot) & mask));
      keys[slot] = keys[next];
      values[slot] = values[next];
      slot = next;
    }
  }

  /** How many keys there are. */
  public int size() {
    return size;
  }

  /** Forgets all keys. */
  public void clear() {
    Arrays.fill(values, ABSENT);
    size = 0;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldValues = values;
    keys = new long[2 * oldKeys.length];
    values = filled(keys.length);
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldValues[i] != ABSENT) {
        int slot = slot(oldKeys[i]);
        keys[slot] = oldKeys[i];
        values[slot] = oldValues[i];
      }
    }
  }

  private int home(long key) {
    return (int) (key * 0x9E3779B97F4A7C15L >>> 40) & (keys.length - 1);
  }

  private int slot(long key) {
    int slot = home(key);
    while (values[slot] != ABSENT && keys[slot] != key) {
      slot = (slot + 1) & (keys.length - 1);
    }
    return slot;
  }
}
