package dev.eddyline.analysis.graph;

import java.util.Locale;

/** What a node of the stream graph is; its row number belongs to the table of the same name. */
public enum NodeKind {
  OP,
  RECORD,
  WAIT,
  CALL,
  /** A stream as a whole, where a wait names the stream but not the record; row: its index. */
  STREAM;

  /** The word in exports. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
