package dev.eddyline.analysis.graph;

import java.util.Arrays;

/**
 * How far a stream, a host thread or a process knows streams and hubs, over time. Streams stand in
 * rows, one per moment at which something was learned, cut into groups of {@value #GROUP} that rows
 * share where nothing changed; hubs, which are few and change often, each in a list of their own.
 */
final class Knower {
  private static final int FREE = -1;
  private static final int SHIFT = 4;
  private static final int GROUP = 1 << SHIFT;

  /** Up to so many streams a plain table leads from stream to slot. */
  private static final int FEW = 2048;

  // Streams: a table from stream to slot, hashed if they are many, and the values that hold now.
  private final int all;
  private int[] direct = new int[0];
  private int[] keys = new int[0];
  private int[] slots = new int[0];
  private int[] streams = new int[0];
  private int[] now = new int[0];
  private int size;

  // Rows: per moment an offset in the pool, where pointers to groups stand, first their number.
  private int[] moments = new int[0];
  private int[] rows = new int[0];
  private int rowCount;
  private int[] pool = new int[0];
  private int poolSize;
  private int[] groups = new int[0];
  private boolean[] changed = new boolean[0];
  private int open = HappensBefore.NEVER;

  private int[] hubs = new int[0];
  private Changes[] hubChanges = new Changes[0];
  private int hubCount;

  /** When it last learned something; {@link HappensBefore#NEVER} if it never did. */
  int learned = HappensBefore.NEVER;

  /**
   * @param all how many streams there are
   */
  Knower(int all) {
    this.all = all;
  }

  /** How many streams it knows. */
  int size() {
    return size;
  }

  /** The stream in a slot. */
  int stream(int slot) {
    return streams[slot];
  }

  int hubCount() {
    return hubCount;
  }

  int hub(int index) {
    return hubs[index];
  }

  Changes hubChanges(int index) {
    return hubChanges[index];
  }

  // ---- streams ----

  /** How far a stream is known now. */
  int last(int stream) {
    int slot = slot(stream);
    return slot < 0 ? HappensBefore.NEVER : now[slot];
  }

  /** How far a stream was known at a moment, what was learned then included. */
  int at(int stream, int moment) {
    int slot = slot(stream);
    return slot < 0 ? HappensBefore.NEVER : value(row(moment), slot);
  }

  /** The row that holds at a moment, for {@link #value}. */
  int row(int moment) {
    if (open <= moment) {
      return rowCount;
    }
    int low = 0;
    int high = rowCount;
    for (int step = 1; high > 0 && moments[high - 1] > moment; step <<= 1) {
      low = Math.max(0, high - step);
      if (moments[low] <= moment) {
        break;
      }
      high = low;
    }
    if (high == 0 || moments[high - 1] <= moment) {
      return high - 1;
    }
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (moments[middle] <= moment) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** How far the stream in a slot is known in a row. */
  int value(int row, int slot) {
    if (row == rowCount) {
      return now[slot];
    }
    int group = slot >> SHIFT;
    if (row < 0 || group >= pool[rows[row]]) {
      return HappensBefore.NEVER;
    }
    return pool[pool[rows[row] + 1 + group] + (slot & GROUP - 1)];
  }

  /**
   * Learns of all streams what another one knew in a row.
   *
   * @param self the stream that this is, of which it learns nothing
   * @param contextOf per stream its context
   * @param implied of the streams of this context it learns nothing either
   */
  void learnAll(Knower source, int row, int self, int moment, int[] contextOf, int implied) {
    boolean isNow = row == source.rowCount;
    if (row < 0) {
      return;
    }
    int count = isNow ? source.size + GROUP - 1 >> SHIFT : source.pool[source.rows[row]];
    for (int group = 0; group < count; group++) {
      int[] values = isNow ? source.now : source.pool;
      int offset = isNow ? group << SHIFT : source.pool[source.rows[row] + 1 + group];
      int first = group << SHIFT;
      int end = Math.min(GROUP, source.size - first);
      for (int i = 0; i < end; i++) {
        int value = values[offset + i];
        int stream = source.streams[first + i];
        boolean known = stream == self || contextOf[stream] == implied;
        if (value != HappensBefore.NEVER && !known) {
          learn(stream, moment, value);
        }
      }
    }
  }

  /** Learns of a stream; whether that was new. */
  boolean learn(int stream, int moment, int value) {
    int slot = slot(stream);
    if (slot < 0) {
      begin(moment);
      slot = add(stream);
    } else if (now[slot] >= value) {
      return false;
    } else {
      begin(moment);
    }
    now[slot] = value;
    changed[slot >> SHIFT] = true;
    return true;
  }

  /** Keeps what held before a moment. */
  private void begin(int moment) {
    learned = moment;
    if (open == moment) {
      return;
    }
    if (open != HappensBefore.NEVER) {
      keep();
    }
    open = moment;
  }

  private void keep() {
    int count = size + GROUP - 1 >> SHIFT;
    if (rowCount == rows.length) {
      int room = Math.max(4, rowCount + (rowCount >> 1));
      rows = Arrays.copyOf(rows, room);
      moments = Arrays.copyOf(moments, room);
    }
    makeRoom(1 + count + count * GROUP);
    for (int group = 0; group < count; group++) {
      if (changed[group]) {
        changed[group] = false;
        groups[group] = poolSize;
        System.arraycopy(now, group << SHIFT, pool, poolSize, GROUP);
        poolSize += GROUP;
      }
    }
    moments[rowCount] = open;
    rows[rowCount++] = poolSize;
    pool[poolSize++] = count;
    System.arraycopy(groups, 0, pool, poolSize, count);
    poolSize += count;
  }

  private void makeRoom(int more) {
    if (poolSize + more > pool.length) {
      pool = Arrays.copyOf(pool, Math.max(poolSize + more, poolSize + (poolSize >> 2)));
    }
  }

  private static int hash(int key) {
    int mixed = key * 0x9E37_79B9;
    return mixed ^ mixed >>> 15;
  }

  private int slot(int stream) {
    if (all <= FEW) {
      return direct.length == 0 ? FREE : direct[stream] - 1;
    }
    if (keys.length == 0) {
      return FREE;
    }
    int mask = keys.length - 1;
    for (int at = hash(stream) & mask; keys[at] != FREE; at = at + 1 & mask) {
      if (keys[at] == stream) {
        return slots[at];
      }
    }
    return FREE;
  }

  private int add(int stream) {
    if (all > FEW && 2 * (size + 1) > keys.length) {
      grow();
    } else if (all <= FEW && size == 0) {
      direct = new int[all];
    }
    if (size == now.length) {
      int room = Math.max(GROUP, 2 * size);
      int before = now.length;
      now = Arrays.copyOf(now, room);
      Arrays.fill(now, before, room, HappensBefore.NEVER);
      streams = Arrays.copyOf(streams, room);
      groups = Arrays.copyOf(groups, room >> SHIFT);
      changed = Arrays.copyOf(changed, room >> SHIFT);
    }
    streams[size] = stream;
    put(stream, size);
    return size++;
  }

  private void put(int stream, int slot) {
    if (all <= FEW) {
      direct[stream] = slot + 1;
      return;
    }
    int mask = keys.length - 1;
    int at = hash(stream) & mask;
    while (keys[at] != FREE) {
      at = at + 1 & mask;
    }
    keys[at] = stream;
    slots[at] = slot;
  }

  private void grow() {
    int capacity = Math.max(8, keys.length * 2);
    keys = new int[capacity];
    slots = new int[capacity];
    Arrays.fill(keys, FREE);
    for (int i = 0; i < size; i++) {
      put(streams[i], i);
    }
  }

  // ---- hubs ----

  /** How far a hub is known now. */
  int lastHub(int hub) {
    int index = hubIndex(hub);
    return index < 0 ? HappensBefore.NEVER : hubChanges[index].last();
  }

  /** Learns of a hub; whether that was new. */
  boolean learnHub(int hub, int moment, int value) {
    int index = hubIndex(hub);
    if (index < 0) {
      index = hubCount++;
      if (index == hubs.length) {
        hubs = Arrays.copyOf(hubs, Math.max(2, 2 * index));
        hubChanges = Arrays.copyOf(hubChanges, hubs.length);
      }
      hubs[index] = hub;
      hubChanges[index] = new Changes();
    } else if (hubChanges[index].last() >= value) {
      return false;
    }
    hubChanges[index].set(moment, value);
    learned = moment;
    return true;
  }

  private int hubIndex(int hub) {
    for (int i = 0; i < hubCount; i++) {
      if (hubs[i] == hub) {
        return i;
      }
    }
    return FREE;
  }

  /** How many numbers are kept, for measurements. */
  long kept() {
    long sum = poolSize + 2L * rowCount;
    for (int i = 0; i < hubCount; i++) {
      sum += 2L * hubChanges[i].size();
    }
    return sum;
  }
}
