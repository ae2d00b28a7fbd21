package dev.eddyline.analysis.timeline;

import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Call;

/** Cursor over host calls of a CUDA API. */
public final class CallView extends RowView<CallView> {
  CallView(Timeline timeline) {
    super(timeline, RecordType.CALL);
  }

  public long start() {
    return value(Call.START);
  }

  public long end() {
    return value(Call.START) + duration();
  }

  public long duration() {
    return value(Call.DURATION);
  }

  public int thread() {
    return (int) value(Call.THREAD);
  }

  public int process() {
    return timeline.thread(thread()).process();
  }

  public String name() {
    return string(Call.NAME);
  }

  public int nameId() {
    return (int) value(Call.NAME);
  }

  public ApiKind kind() {
    return timeline.apiKind(value(Call.NAME));
  }

  public long correlation() {
    return value(Call.CORRELATION);
  }

  /** Return code of the API, -1 if not known. */
  public long result() {
    return value(Call.RESULT);
  }
}
