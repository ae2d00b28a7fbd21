package dev.eddyline.analysis.timeline;

import dev.eddyline.trace.Group;
import dev.eddyline.trace.RecordType;

/** Cursor over groups of collective calls. */
public final class GroupView extends RowView<GroupView> {
  GroupView(Timeline timeline) {
    super(timeline, RecordType.GROUP);
  }

  public long start() {
    return value(Group.START);
  }

  public long end() {
    return value(Group.START) + value(Group.DURATION);
  }

  public int thread() {
    return (int) value(Group.THREAD);
  }

  /** 1 for the outermost group, 2 for one in it. */
  public int depth() {
    return (int) value(Group.DEPTH);
  }

  /** Collectives that were called in it, or in groups in it. */
  public int calls() {
    return (int) value(Group.CALLS);
  }

  /** Correlation of the first launch that its end made, or -1. */
  public long correlation() {
    return value(Group.CORRELATION);
  }
}
