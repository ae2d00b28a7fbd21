package dev.eddyline.analysis.blame;

import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.SyncView;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds loops in which one thread asks for one event until it is done: several queries of the same
 * event with nothing enqueued in between, the last of them after the work had ended. A thread that
 * only asks and never enqueues is a watchdog and holds nobody.
 */
final class PollLoops {
  private static final int LEAST_POLLS = 3;
  private static final long NO_EVENT = -1;

  private PollLoops() {}

  /** A run of queries of one thread. */
  private static final class Run {
    private long event = NO_EVENT;
    private int firstCall;
    private int lastCall;
    private int lastSync;
    private int polls;
  }

  static List<HostBlock> find(StreamGraph graph, long tolerance) {
    Timeline timeline = graph.timeline();
    CallView call = timeline.calls();
    CallView between = timeline.calls();
    SyncView sync = timeline.syncs();
    List<HostBlock> found = new ArrayList<>();
    Run[] runs = new Run[timeline.threads().size()];
    for (int i = 0; i < call.size(); i++) {
      if (!call.at(i).kind().isPoll() || !graph.links().hasOrderingCalls(call.thread())) {
        continue;
      }
      int thread = call.thread();
      int row = graph.syncTargets().syncOf(i);
      long event = row < 0 ? NO_EVENT : sync.at(row).event();
      Run run = runs[thread];
      boolean goesOn =
          run != null
              && event != NO_EVENT
              && event == run.event
              && !graph
                  .links()
                  .hasOrderingCallIn(
                      between, thread, call.at(run.lastCall).start(), startOf(call, i));
      if (run == null || !goesOn) {
        close(graph, run, tolerance, found);
        run = new Run();
        run.firstCall = i;
        runs[thread] = run;
      }
      run.event = event;
      run.lastCall = i;
      run.lastSync = row;
      run.polls++;
    }
    for (Run run : runs) {
      close(graph, run, tolerance, found);
    }
    return found;
  }

  private static long startOf(CallView call, int row) {
    return call.at(row).start();
  }

  private static void close(
      StreamGraph graph,
      @org.jspecify.annotations.Nullable Run run,
      long tolerance,
      List<HostBlock> found) {
    if (run == null || run.polls < LEAST_POLLS || run.event == NO_EVENT) {
      return;
    }
    CallView call = graph.timeline().calls();
    long start = call.at(run.firstCall).start();
    long end = call.at(run.lastCall).end();
    int record = graph.syncTargets().recordOf(run.lastSync);
    int release = record < 0 ? -1 : released(graph, record, start, end + tolerance);
    if (release >= 0) {
      int stream = graph.timeline().ops().at(release).stream();
      found.add(
          new HostBlock(
              HostBlock.Kind.POLL_LOOP,
              run.firstCall,
              start,
              end,
              stream,
              release,
              false,
              false,
              run.polls));
    }
  }

  private static int released(StreamGraph graph, int record, long start, long end) {
    int stream = graph.bindings().recordStream(record);
    int covered = graph.recordPosition(record);
    if (stream < 0 || covered <= 0) {
      return -1;
    }
    OpView op = graph.timeline().ops().at(graph.ops().op(stream, covered - 1));
    return op.end() > start && op.end() <= end ? op.row() : -1;
  }
}
