package dev.eddyline.analysis.export;

import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Occurrence;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.CollectiveView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.RangeView;
import dev.eddyline.analysis.timeline.RecordView;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.SyncView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.WaitView;
import dev.eddyline.trace.RecordType;
import java.io.IOException;
import java.io.Writer;
import java.util.List;

/** One table as CSV (RFC 4180): times in nanoseconds since the Unix epoch, unknown values empty. */
public final class CsvExport {
  /** The tables there are. */
  public static final List<String> TABLES =
      List.of("ops", "calls", "waits", "records", "syncs", "collectives", "ranges", "findings");

  private static final List<String> OP_KINDS =
      List.of("kernel", "copy", "fill", "graph", "host-function");
  private static final List<String> MEMORIES =
      List.of("pageable", "pinned", "device", "array", "managed");
  private static final List<String> RANGE_KINDS =
      List.of("annotation", "operator", "python", "nvtx", "java", "step");

  private final Timeline timeline;
  private final Writer target;
  private boolean lineBegun;

  private CsvExport(Timeline timeline, Writer target) {
    this.timeline = timeline;
    this.target = target;
  }

  /** Writes one of {@link #TABLES}; leaves the writer open. */
  public static void write(Timeline timeline, Report report, String table, Writer target)
      throws IOException {
    CsvExport csv = new CsvExport(timeline, target);
    switch (table) {
      case "ops" -> csv.writeOps();
      case "calls" -> csv.writeCalls();
      case "waits" -> csv.writeWaits();
      case "records" -> csv.writeRecords();
      case "syncs" -> csv.writeSyncs();
      case "collectives" -> csv.writeCollectives();
      case "ranges" -> csv.writeRanges();
      case "findings" -> csv.writeFindings(report);
      default -> throw new IllegalArgumentException(table);
    }
  }

  private void writeOps() throws IOException {
    head("rank", "device", "stream", "kind", "name", "start_ns", "duration_ns", "correlation");
    head("bytes", "from", "to", "graph", "blocks", "block_threads");
    endLine();
    OpView op = timeline.ops();
    for (int i = 0; i < op.size(); i++) {
      StreamInfo stream = timeline.stream(op.at(i).stream());
      number(timeline.process(stream.process()).rank());
      number(stream.device());
      text(stream.label());
      text(word(OP_KINDS, op.kind()));
      text(op.name());
      time(op.start());
      time(op.duration());
      number(op.correlation());
      number(op.bytes());
      text(word(MEMORIES, op.srcMemory()));
      text(word(MEMORIES, op.dstMemory()));
      number(op.graph());
      number(op.blocks());
      number(op.blockThreads());
      endLine();
    }
  }

  private void writeCalls() throws IOException {
    head("rank", "thread", "name", "start_ns", "duration_ns", "correlation", "result");
    endLine();
    CallView call = timeline.calls();
    for (int i = 0; i < call.size(); i++) {
      number(timeline.process(call.at(i).process()).rank());
      text(timeline.thread(call.thread()).label());
      text(call.name());
      time(call.start());
      time(call.duration());
      number(call.correlation());
      number(call.result());
      endLine();
    }
  }

  private void writeWaits() throws IOException {
    head("rank", "stream", "event", "correlation", "call_start_ns", "record_correlation");
    head("source_stream", "empty");
    endLine();
    WaitView wait = timeline.waits();
    for (int i = 0; i < wait.size(); i++) {
      number(timeline.process(wait.at(i).process()).rank());
      stream(wait.stream());
      number(wait.event());
      number(wait.correlation());
      callStart(wait.call());
      number(wait.recordCorrelation());
      stream(wait.sourceStream());
      text(Boolean.toString(wait.isEmptyWait()));
      endLine();
    }
  }

  private void writeRecords() throws IOException {
    head("rank", "stream", "event", "correlation", "call_start_ns");
    endLine();
    RecordView record = timeline.records();
    for (int i = 0; i < record.size(); i++) {
      number(timeline.process(record.at(i).process()).rank());
      stream(record.stream());
      number(record.event());
      number(record.correlation());
      callStart(record.call());
      endLine();
    }
  }

  private void writeSyncs() throws IOException {
    head("rank", "kind", "stream", "event", "correlation", "start_ns", "duration_ns");
    head("record_correlation");
    endLine();
    SyncView sync = timeline.syncs();
    for (int i = 0; i < sync.size(); i++) {
      number(timeline.process(sync.at(i).process()).rank());
      text(
          switch (sync.kind()) {
            case RecordType.Sync.KIND_EVENT -> "event";
            case RecordType.Sync.KIND_STREAM -> "stream";
            case RecordType.Sync.KIND_DEVICE -> "device";
            default -> "";
          });
      stream(sync.stream());
      number(sync.event());
      number(sync.correlation());
      time(sync.start());
      time(sync.end() - sync.start());
      number(sync.recordCorrelation());
      endLine();
    }
  }

  private void writeCollectives() throws IOException {
    head("rank", "thread", "kind", "communicator", "sequence", "dtype", "count_in", "count_out");
    head("group_size", "start_ns", "duration_ns", "correlation", "stream");
    endLine();
    CollectiveView collective = timeline.collectives();
    for (int i = 0; i < collective.size(); i++) {
      number(timeline.process(collective.at(i).process()).rank());
      text(timeline.thread(collective.thread()).label());
      text(collective.kind());
      text(collective.communicator());
      number(collective.sequence());
      text(collective.dtype());
      number(collective.countIn());
      number(collective.countOut());
      number(collective.groupSize());
      time(collective.start());
      time(collective.end() - collective.start());
      number(collective.correlation());
      stream(collective.stream());
      endLine();
    }
  }

  private void writeRanges() throws IOException {
    head("rank", "thread", "kind", "name", "start_ns", "duration_ns", "shape", "dtype");
    endLine();
    RangeView range = timeline.ranges();
    for (int i = 0; i < range.size(); i++) {
      int thread = range.at(i).thread();
      number(timeline.process(timeline.thread(thread).process()).rank());
      text(timeline.thread(thread).label());
      text(word(RANGE_KINDS, range.kind()));
      text(range.name());
      time(range.start());
      time(range.end() - range.start());
      text(range.shape());
      text(range.dtype());
      endLine();
    }
  }

  private void writeFindings(Report report) throws IOException {
    head("id", "rule", "severity", "confidence", "rank", "thread", "call", "stream");
    head("correlation", "start_ns", "duration_ns", "summary");
    endLine();
    List<Finding> findings = report.findings();
    for (int i = 0; i < findings.size(); i++) {
      Finding finding = findings.get(i);
      for (Occurrence occurrence : finding.occurrences()) {
        number(i + 1);
        text(finding.rule());
        text(finding.severity().word());
        text(finding.confidence().word());
        number(occurrence.rank());
        text(occurrence.thread());
        text(occurrence.call());
        text(occurrence.stream());
        number(occurrence.correlation());
        time(occurrence.startNs());
        time(occurrence.durationNs());
        text(finding.summary());
        endLine();
      }
    }
  }

  private static String word(List<String> words, int code) {
    return code < 0 || code >= words.size() ? "" : words.get(code);
  }

  private void head(String... names) throws IOException {
    for (String name : names) {
      text(name);
    }
  }

  private void stream(int index) throws IOException {
    text(index < 0 ? "" : timeline.stream(index).label());
  }

  private void callStart(int row) throws IOException {
    if (row < 0) {
      text("");
    } else {
      time(timeline.calls().at(row).start());
    }
  }

  private void number(long value) throws IOException {
    text(value < 0 ? "" : Long.toString(value));
  }

  private void time(long ns) throws IOException {
    text(Long.toString(ns));
  }

  private void text(String value) throws IOException {
    if (lineBegun) {
      target.write(',');
    }
    lineBegun = true;
    boolean quoted =
        value.indexOf(',') >= 0
            || value.indexOf('"') >= 0
            || value.indexOf('\n') >= 0
            || value.indexOf('\r') >= 0;
    target.write(quoted ? '"' + value.replace("\"", "\"\"") + '"' : value);
  }

  private void endLine() throws IOException {
    target.write("\r\n");
    lineBegun = false;
  }
}
