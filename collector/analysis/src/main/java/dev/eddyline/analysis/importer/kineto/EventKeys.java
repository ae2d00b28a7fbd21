package dev.eddyline.analysis.importer.kineto;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Numbers for the field names of events that the importer knows, found by their bytes. */
final class EventKeys {
  static final int UNKNOWN = -1;
  static final int PH = 0;
  static final int CAT = 1;
  static final int NAME = 2;
  static final int PID = 3;
  static final int TID = 4;
  static final int TS = 5;
  static final int DUR = 6;
  static final int ARGS = 7;
  static final int STREAM = 8;
  static final int DEVICE = 9;
  static final int CONTEXT = 10;
  static final int CORRELATION = 11;
  static final int BYTES = 12;
  static final int GRID = 13;
  static final int BLOCK = 14;
  static final int GRAPH = 15;
  static final int GRAPH_NODE = 16;
  static final int INPUT_DIMS = 17;
  static final int INPUT_TYPE = 18;
  static final int COLLECTIVE = 19;
  static final int GROUP_NAME = 20;
  static final int GROUP_DESCRIPTION = 21;
  static final int COUNT_IN = 22;
  static final int COUNT_OUT = 23;
  static final int GROUP_SIZE = 24;
  static final int DTYPE = 25;
  static final int SEQUENCE = 26;
  static final int WAIT_STREAM = 27;
  static final int WAIT_RECORD = 28;
  static final int WAIT_EVENT = 29;
  static final int EVENT = 30;
  static final int SYNC_KIND = 31;

  private static final List<String> NAMES =
      List.of(
          "ph",
          "cat",
          "name",
          "pid",
          "tid",
          "ts",
          "dur",
          "args",
          "stream",
          "device",
          "context",
          "correlation",
          "bytes",
          "grid",
          "block",
          "graph id",
          "graph node id",
          "Input Dims",
          "Input type",
          "Collective name",
          "Process Group Name",
          "Process Group Description",
          "In msg nelems",
          "Out msg nelems",
          "Group size",
          "dtype",
          "Seq",
          "wait_on_stream",
          "wait_on_cuda_event_record_corr_id",
          "wait_on_cuda_event_id",
          "event_id",
          "cuda_sync_kind");

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long MIX = 0x9E37_79B9_7F4A_7C15L;
  private static final int SLOT_BITS = 8;
  private static final int SLOTS = 1 << SLOT_BITS;

  private final byte[][] names = new byte[SLOTS][];
  private final long[] starts = new long[SLOTS];
  private final int[] codes = new int[SLOTS];

  EventKeys() {
    for (int code = 0; code < NAMES.size(); code++) {
      byte[] name = NAMES.get(code).getBytes(StandardCharsets.US_ASCII);
      long start = start(Arrays.copyOf(name, name.length + Long.BYTES), 0, name.length);
      int at = slot(start, name.length);
      while (names[at] != null) {
        at = at + 1 & SLOTS - 1;
      }
      names[at] = name;
      starts[at] = start;
      codes[at] = code;
    }
  }

  /** The first eight bytes of a name, or all of a shorter one. */
  private static long start(byte[] bytes, int from, int length) {
    long eight = (long) LONGS.get(bytes, from);
    return length >= Long.BYTES ? eight : eight & (1L << length * Byte.SIZE) - 1;
  }

  private static int slot(long start, int length) {
    return (int) ((start ^ length) * MIX >>> Long.SIZE - SLOT_BITS);
  }

  /**
   * The number of a field name, or {@link #UNKNOWN}.
   *
   * @param bytes hold the name, and eight more bytes behind it
   */
  int code(byte[] bytes, int from, int to) {
    int length = to - from;
    long start = start(bytes, from, length);
    for (int at = slot(start, length); names[at] != null; at = at + 1 & SLOTS - 1) {
      byte[] name = names[at];
      if (starts[at] == start
          && name.length == length
          && (length <= Long.BYTES || Arrays.equals(name, 0, length, bytes, from, to))) {
        return codes[at];
      }
    }
    return UNKNOWN;
  }
}
