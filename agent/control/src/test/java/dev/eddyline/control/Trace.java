package dev.eddyline.control;

import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.Traces;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.RecordType.Op;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What a recorded file holds. */
record Trace(Timeline timeline) {
  static Trace read(Path file) {
    try {
      return new Trace(Traces.open(List.of(file), ReadOptions.defaults()));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  long kernels() {
    return ops(Op.KIND_KERNEL);
  }

  long copies() {
    return ops(Op.KIND_COPY);
  }

  private long ops(int kind) {
    OpView op = timeline.ops();
    long found = 0;
    for (int i = 0; i < op.size(); i++) {
      op.at(i);
      if (op.kind() == kind) {
        found++;
      }
    }
    return found;
  }
}
