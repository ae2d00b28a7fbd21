package dev.eddyline.viewer.track;

import java.util.List;

/**
 * One row of the timeline.
 *
 * @param index its place among all rows, from the top
 * @param kind what it shows
 * @param process index of its process
 * @param ref index of its thread, its stream or its device, by kind
 * @param level how far it is indented
 * @param parent index of the row that it belongs to, -1 for none
 * @param label its name
 * @param note what else is worth knowing: roles, what it waits for
 * @param lanes its intervals; the items are rows of the table that fits the kind
 * @param atFirst whether it is in sight before anyone asks for it
 */
public record Track(
    int index,
    Kind kind,
    int process,
    int ref,
    int level,
    int parent,
    String label,
    String note,
    List<Lane> lanes,
    boolean atFirst) {

  /** What a row shows. */
  public enum Kind {
    /** A rank, or a process where ranks are not known; holds other rows. */
    PROCESS,
    /** What a device did: compute, communication, both, nothing. */
    OVERLAP,
    /** Steps, annotations, operators and functions of a thread: items are ranges. */
    RANGES,
    /** API calls of a thread: items are calls. */
    CALLS,
    /** Queries, which never block: items are calls. */
    POLLS,
    /** A stream: items are ops. */
    STREAM
  }

  /** Whether its intervals are ops. */
  public boolean isStream() {
    return kind == Kind.STREAM;
  }

  /** Lane and index of the interval that holds a time: lane in the upper half, -1 for none. */
  public long at(int lane, long timeNs) {
    if (lane < 0 || lane >= lanes.size()) {
      return -1;
    }
    int index = lanes.get(lane).at(timeNs);
    return index < 0 ? -1 : (long) lane << 32 | index;
  }
}
