package dev.eddyline.analysis.graph;

import java.util.Locale;

/** What an edge of the stream graph is. */
public enum EdgeKind {
  /** Host call to the next call on its thread. */
  PROGRAM_ORDER,
  /** Call to the op it enqueued. */
  LAUNCH,
  /** Item to the next item of its stream. */
  STREAM_ORDER,
  /** Event record to the wait that binds to it. */
  EVENT,
  /** Last covered op to the return of a host sync. */
  SYNC,
  /** Op to op of another stream by the rules of the legacy default stream. */
  LEGACY_DEFAULT,
  /** Collective to the next one of its communicator. */
  NCCL;

  /** The word in exports. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
