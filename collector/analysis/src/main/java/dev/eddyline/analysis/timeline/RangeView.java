package dev.eddyline.analysis.timeline;

import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Range;

/** Cursor over named intervals of host threads: steps, annotations, operators, functions. */
public final class RangeView extends RowView<RangeView> {
  RangeView(Timeline timeline) {
    super(timeline, RecordType.RANGE);
  }

  public long start() {
    return value(Range.START);
  }

  public long end() {
    return value(Range.START) + value(Range.DURATION);
  }

  public int thread() {
    return (int) value(Range.THREAD);
  }

  /** One of the {@code KIND_} constants of {@link Range}. */
  public int kind() {
    return (int) value(Range.KIND);
  }

  public String name() {
    return string(Range.NAME);
  }

  public int nameId() {
    return (int) value(Range.NAME);
  }

  /** Shapes of an operator's inputs as the source writes them, "" if none. */
  public String shape() {
    return string(Range.SHAPE);
  }

  /** Types of an operator's inputs as the source writes them, "" if none. */
  public String dtype() {
    return string(Range.DTYPE);
  }
}
