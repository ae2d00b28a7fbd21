package dev.eddyline.analysis.report;

import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.finding.Steps;
import dev.eddyline.analysis.timeline.ApiKind;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.ProcessInfo;
import dev.eddyline.analysis.timeline.SkippedRange;
import dev.eddyline.analysis.timeline.SourceInfo;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.RecordType;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What a trace holds, for people. */
public final class InfoReport {
  private static final String INDENT = "   ";
  private final Timeline timeline;
  private final Report report;
  private final List<String> lines = new ArrayList<>();

  private InfoReport(Timeline timeline, Report report) {
    this.timeline = timeline;
    this.report = report;
  }

  /** Writes the report; leaves the writer open. */
  public static void write(Timeline timeline, Report report, Writer target) throws IOException {
    InfoReport info = new InfoReport(timeline, report);
    info.layOut();
    for (String line : info.lines) {
      target.write(TextReport.printable(line.stripTrailing()));
      target.write('\n');
    }
  }

  private void layOut() {
    List<StreamSummary> streams = StreamSummaries.of(timeline);
    for (int i = 0; i < timeline.sources().size(); i++) {
      SourceInfo source = timeline.sources().get(i);
      lines.add(source.file());
      List<String[]> properties = new ArrayList<>();
      properties.add(new String[] {"format", source.format()});
      source.properties().forEach((key, value) -> properties.add(new String[] {key, value}));
      lines.addAll(Columns.align(properties, INDENT));
      for (SkippedRange skipped : timeline.skipped()) {
        if (skipped.source() == i) {
          lines.add(INDENT + skipped(skipped));
        }
      }
      for (int process = 0; process < timeline.processes().size(); process++) {
        if (timeline.process(process).source() == i) {
          addProcess(process, streams);
        }
      }
      lines.add("");
    }
    addCoverage();
  }

  private static String skipped(SkippedRange skipped) {
    String to = skipped.toByte() < 0 ? "the end" : "byte " + skipped.toByte();
    return "left out: byte " + skipped.fromByte() + " to " + to + ", " + skipped.what();
  }

  private void addProcess(int index, List<StreamSummary> streams) {
    ProcessInfo process = timeline.process(index);
    lines.add("");
    String pid = process.rank() >= 0 && process.pid() >= 0 ? ", process " + process.pid() : "";
    lines.add(TraceHeader.title(process) + pid + steps(index));
    List<String[]> rows = new ArrayList<>();
    rows.add(new String[] {"stream", "role", "ops", "busy ms", "collectives", "launched by"});
    streams.stream()
        .filter(stream -> stream.stream().process() == index && stream.ops() > 0)
        .sorted(Comparator.comparingLong(stream -> stream.stream().id()))
        .forEach(stream -> rows.add(row(stream)));
    if (rows.size() > 1) {
      lines.addAll(Columns.align(rows, INDENT));
    }
    List<String> idle =
        streams.stream()
            .filter(stream -> stream.stream().process() == index && stream.ops() == 0)
            .map(stream -> stream.stream().label())
            .toList();
    if (!idle.isEmpty()) {
      lines.add(INDENT + "named by calls, ran nothing: " + String.join(", ", idle));
    }
    addCalls(index);
  }

  private String steps(int process) {
    List<String> names =
        report.steps().steps().stream()
            .filter(step -> step.process() == process)
            .map(Steps.Step::name)
            .toList();
    return names.isEmpty()
        ? ""
        : ", " + Words.count(names.size(), "step") + " (" + Words.names(names) + ")";
  }

  private static String[] row(StreamSummary summary) {
    List<String> collectives = new ArrayList<>();
    summary.collectives().forEach((kind, n) -> collectives.add(n + " " + kind));
    StreamInfo stream = summary.stream();
    return new String[] {
      stream.label(),
      String.join(", ", summary.roles()),
      Integer.toString(summary.ops()),
      Millis.of(summary.busyNs()),
      String.join(", ", collectives),
      String.join(", ", summary.threads())
    };
  }

  private void addCalls(int process) {
    Map<ApiKind, Integer> kinds = new EnumMap<>(ApiKind.class);
    Map<Integer, Integer> threads = new TreeMap<>();
    CallView call = timeline.calls();
    for (int i = 0; i < call.size(); i++) {
      if (call.at(i).process() == process) {
        kinds.merge(call.kind(), 1, Integer::sum);
        threads.merge(call.thread(), 1, Integer::sum);
      }
    }
    List<String> counts = new ArrayList<>();
    kinds.forEach((kind, n) -> counts.add(n + " " + kind.name().toLowerCase(Locale.ROOT)));
    String named = String.join(", ", counts).replace('_', '-');
    Words.wrap("calls: " + (named.isEmpty() ? "none in the trace" : named), 112)
        .forEach(line -> lines.add(INDENT + line));
    List<String> callers = new ArrayList<>();
    threads.entrySet().stream()
        .sorted(Map.Entry.<Integer, Integer>comparingByValue().reversed())
        .limit(8)
        .forEach(
            each -> callers.add(timeline.thread(each.getKey()).label() + " " + each.getValue()));
    if (!callers.isEmpty()) {
      Words.wrap("who calls: " + String.join(", ", callers), 112)
          .forEach(line -> lines.add(INDENT + line));
    }
  }

  private void addCoverage() {
    lines.add("What this trace can answer");
    List<String[]> rows = new ArrayList<>();
    report
        .coverage()
        .answers()
        .forEach(a -> rows.add(new String[] {a.question(), a.value(), a.detail()}));
    lines.addAll(Columns.align(rows, INDENT, TextReport.WIDTH));
    lines.add(
        INDENT
            + "rows: "
            + timeline.table(RecordType.OP).size()
            + " ops, "
            + timeline.table(RecordType.CALL).size()
            + " calls, "
            + timeline.table(RecordType.RECORD).size()
            + " event records, "
            + timeline.table(RecordType.WAIT).size()
            + " waits, "
            + timeline.table(RecordType.SYNC).size()
            + " syncs and polls, "
            + timeline.table(RecordType.RANGE).size()
            + " ranges, "
            + timeline.table(RecordType.COLLECTIVE).size()
            + " collectives");
  }
}
