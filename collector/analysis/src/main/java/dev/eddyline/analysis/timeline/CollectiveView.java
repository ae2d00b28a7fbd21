package dev.eddyline.analysis.timeline;

import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Collective;

/** Cursor over collectives as their library described them, "wait" and "barrier" included. */
public final class CollectiveView extends RowView<CollectiveView> {
  CollectiveView(Timeline timeline) {
    super(timeline, RecordType.COLLECTIVE);
  }

  public long start() {
    return value(Collective.START);
  }

  public long end() {
    return value(Collective.START) + value(Collective.DURATION);
  }

  public int thread() {
    return (int) value(Collective.THREAD);
  }

  public int process() {
    return timeline.thread(thread()).process();
  }

  /** The library's word: "allreduce", "wait", "barrier", … */
  public String kind() {
    return string(Collective.KIND);
  }

  /** Name of the communicator or process group, "" if not known. */
  public String communicator() {
    return string(Collective.COMMUNICATOR);
  }

  public int communicatorId() {
    return (int) value(Collective.COMMUNICATOR);
  }

  /** Number within its communicator, -1 if not known. */
  public long sequence() {
    return value(Collective.SEQUENCE);
  }

  public String dtype() {
    return string(Collective.DTYPE);
  }

  /** Elements that go in, -1 if not known. */
  public long countIn() {
    return value(Collective.COUNT_IN);
  }

  /** Elements that come out, -1 if not known. */
  public long countOut() {
    return value(Collective.COUNT_OUT);
  }

  /** Ranks of the communicator, -1 if not known. */
  public long groupSize() {
    return value(Collective.GROUP_SIZE);
  }

  /** Shapes of the inputs as the source writes them, "" if none. */
  public String shape() {
    return string(Collective.SHAPE);
  }

  /** Correlation of the launch where the source knows it, or -1. */
  public long correlation() {
    return value(Collective.CORRELATION);
  }

  /** The stream it was enqueued on where the source knows it, or -1. */
  public int stream() {
    return (int) value(Collective.STREAM);
  }

  /** Event id of the Work's event where the source knows it, or -1. */
  public long workEvent() {
    return value(Collective.WORK_EVENT);
  }
}
