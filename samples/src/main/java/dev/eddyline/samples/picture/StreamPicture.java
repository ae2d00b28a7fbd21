package dev.eddyline.samples.picture;

import dev.eddyline.analysis.blame.HostBlock;
import dev.eddyline.analysis.finding.Steps;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.Traces;
import dev.eddyline.analysis.report.Millis;
import dev.eddyline.analysis.rule.Analysis;
import dev.eddyline.analysis.rule.AnalysisOptions;
import dev.eddyline.analysis.rule.Analyzer;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.WaitView;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Draws what one step of one rank enqueued, from the begin of the step on the host until its last
 * op has ended: ops as bars, records and waits as signs with an arrow from each record to its wait,
 * and below them the thread of the step, with the time that it stood still.
 *
 * <p>A record or wait has no device time in a trace: it stands where all that is before it on its
 * stream had happened, or at its call if that came later. What NCCL does by itself is left out.
 *
 * <pre>
 *   java -cp … dev.eddyline.samples.picture.StreamPicture TRACE STEP
 * </pre>
 */
public final class StreamPicture {
  private static final int WIDTH = 100;

  /** Columns at the right for the label of what comes last. */
  private static final int MARGIN = 12;

  private static final char STANDS_STILL = '▒';
  private static final char CALL = '·';

  private final Timeline timeline;
  private final StreamGraph graph;
  private final Analysis analysis;
  private final Steps.Step step;
  private final List<Integer> streams = new ArrayList<>();
  private final Map<Integer, Integer> recordColumns = new HashMap<>();
  private final long begin;
  private long end;

  private StreamPicture(Analysis analysis, Steps.Step step) {
    this.analysis = analysis;
    this.graph = analysis.graph();
    this.timeline = graph.timeline();
    this.step = step;
    this.begin = step.startNs();
    this.end = step.endNs();
  }

  /**
   * Draws a step.
   *
   * @param trace file of one rank
   * @param step name of the step
   * @throws IllegalArgumentException if the trace has no such step
   * @throws IOException if the file cannot be read
   */
  public static List<String> of(Path trace, String step) throws IOException {
    Analysis analysis =
        Analyzer.analyze(
            Traces.open(List.of(trace), ReadOptions.defaults()), AnalysisOptions.defaults());
    for (Steps.Step each : analysis.report().steps().steps()) {
      if (each.name().equals(step)) {
        return new StreamPicture(analysis, each).draw();
      }
    }
    throw new IllegalArgumentException("there is no step '" + step + "' in " + trace);
  }

  /** Draws a step of a trace to standard output. */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 2) {
      System.err.println("usage: TRACE STEP");
      System.exit(3);
    }
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    of(Path.of(arguments[0]), arguments[1]).forEach(out::println);
  }

  private List<String> draw() {
    List<Integer> ops = opsOfStep();
    Grid grid = new Grid(streams.size() + 1, WIDTH);
    OpView op = timeline.ops();
    for (int each : ops) {
      op.at(each);
      grid.bar(
          streams.indexOf(op.stream()), column(op.start()), column(op.end()), Grid.OP, label(each));
    }
    drawWaits(grid);
    drawHost(grid);
    List<String> labels = new ArrayList<>();
    streams.forEach(stream -> labels.add(timeline.stream(stream).label()));
    labels.add("host");
    List<String> lines = new ArrayList<>(grid.lines(labels));
    lines.add("");
    lines.add(
        Millis.of(end - begin)
            + " ms      "
            + (Grid.RECORD + " record   " + Grid.WAIT + " wait   ")
            + (CALL + " call   " + STANDS_STILL + " the host stands still"));
    return lines;
  }

  private int column(long time) {
    long at = Math.max(0, Math.min(time, end) - begin);
    return 1 + (int) (at * (WIDTH - MARGIN) / Math.max(1, end - begin));
  }

  private boolean isOfStep(int call) {
    if (call < 0) {
      return false;
    }
    CallView view = timeline.calls().at(call);
    return view.process() == step.process()
        && view.start() >= step.startNs()
        && view.start() < step.endNs();
  }

  /** Ops that the step launched, and their streams in the order of first use. */
  private List<Integer> opsOfStep() {
    List<Integer> ops = new ArrayList<>();
    OpView op = timeline.ops();
    for (int i = 0; i < op.size(); i++) {
      if (isOfStep(op.at(i).call())) {
        ops.add(i);
        end = Math.max(end, op.end());
        if (!streams.contains(op.stream())) {
          streams.add(op.stream());
        }
      }
    }
    return ops;
  }

  private String label(int op) {
    OpView view = timeline.ops().at(op);
    return graph.collectives().isCollective(view)
        ? graph.collectives().label(op).replaceFirst(" of .*", "")
        : view.name();
  }

  private void drawWaits(Grid grid) {
    WaitView wait = timeline.waits();
    for (int i = 0; i < wait.size(); i++) {
      int record = graph.bindings().record(i);
      if (!isOfStep(timeline.waits().at(i).call())
          || record < 0
          || graph.bindings().isNcclInternal(i)) {
        continue;
      }
      int from = streams.indexOf(graph.bindings().recordStream(record));
      int to = streams.indexOf(wait.at(i).stream());
      if (from < 0 || to < 0 || from == to) {
        continue;
      }
      long recorded = recordTime(record);
      long goesOn = waitTime(i);
      Integer known = recordColumns.get(record);
      int column = known == null ? grid.sign(from, column(recorded), Grid.RECORD, false) : known;
      recordColumns.put(record, column);
      grid.arrow(from, column, to, grid.sign(to, column(goesOn), Grid.WAIT, true));
    }
  }

  /** When a record happened: when all before it on its stream had. */
  private long recordTime(int record) {
    int call = timeline.records().at(record).call();
    int stream = graph.bindings().recordStream(record);
    return reached(stream, graph.recordPosition(record), call);
  }

  /** When a stream went on behind a wait. */
  private long waitTime(int wait) {
    WaitView view = timeline.waits().at(wait);
    int call = view.call();
    long reached = reached(view.stream(), graph.waitPosition(wait), call);
    int record = graph.bindings().record(wait);
    boolean earlier =
        record >= 0 && callStart(timeline.records().at(record).call()) < callStart(call);
    return earlier ? Math.max(reached, recordTime(record)) : reached;
  }

  private long callStart(int call) {
    return timeline.calls().at(call).start();
  }

  /** When a stream came to what a call enqueued, behind ops and waits. */
  private long reached(int stream, int position, int call) {
    long time = timeline.calls().at(call).end();
    if (position > 0) {
      time = Math.max(time, timeline.ops().at(graph.ops().op(stream, position - 1)).end());
    }
    long start = callStart(call);
    for (int i = 0; i < graph.waitCount(stream); i++) {
      int wait = graph.waitOf(stream, i);
      if (graph.waitPosition(wait) == position
          && callStart(timeline.waits().at(wait).call()) < start) {
        time = Math.max(time, waitTime(wait));
      }
    }
    return time;
  }

  private void drawHost(Grid grid) {
    int row = streams.size();
    CallView call = timeline.calls();
    for (HostBlock block : analysis.hostBlocks()) {
      if (block.isBlocked() && isOfStep(block.call())) {
        String name = call.at(block.call()).name();
        grid.bar(row, column(block.startNs()), column(block.endNs()), STANDS_STILL, name);
      }
    }
    for (int i = 0; i < call.size(); i++) {
      if (isOfStep(i) && call.at(i).thread() == step.thread()) {
        grid.dot(row, column(call.start()), CALL);
      }
    }
  }
}
