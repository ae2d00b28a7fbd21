package dev.eddyline.analysis.report;

import java.util.List;

/** What to paste so that the next trace answers more; docs/record.md has the whole table. */
final class NextTime {
  private NextTime() {}

  static List<String> lines() {
    return List.of(
        "To get the rest next time",
        "   PyTorch   profile(...,"
            + " experimental_config=torch._C._profiler._ExperimentalConfig(enable_cuda_sync_events=True))",
        "             names the waiting stream; on CUDA 12.9 and newer not yet the event it waits"
            + " for",
        "   JVM       not there yet: the Eddyline agent, which will record every wait with its"
            + " event",
        "   all:      docs/record.md");
  }
}
