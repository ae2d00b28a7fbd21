package dev.eddyline.analysis.importer.kineto;

import java.util.List;

/**
 * Numbers for the field names that the importer knows. A parser gives the same String object for
 * the same name again, so that one comparison of references finds nearly all of them.
 */
final class Keys {
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

  private static final int SLOTS = 256;
  private final String[] names = new String[SLOTS];
  private final int[] codes = new int[SLOTS];

  Keys() {
    for (int code = 0; code < NAMES.size(); code++) {
      int at = slot(NAMES.get(code));
      while (names[at] != null) {
        at = at + 1 & SLOTS - 1;
      }
      names[at] = NAMES.get(code);
      codes[at] = code;
    }
  }

  private static int slot(String name) {
    int hash = name.hashCode() * 0x9E37_79B9;
    return hash >>> 24;
  }

  /** The number of a field name, or {@link #UNKNOWN}. */
  @SuppressWarnings("ReferenceEquality")
  int code(String name) {
    int at = slot(name);
    while (names[at] != null) {
      if (names[at] == name || names[at].equals(name)) {
        return codes[at];
      }
      at = at + 1 & SLOTS - 1;
    }
    return UNKNOWN;
  }
}
