package dev.eddyline.analysis.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.eddyline.analysis.finding.Coverage;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.LatentSync;
import dev.eddyline.analysis.finding.NotEvaluated;
import dev.eddyline.analysis.finding.Occurrence;
import dev.eddyline.analysis.finding.Place;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.finding.Segment;
import dev.eddyline.analysis.finding.Steps;
import dev.eddyline.analysis.finding.WorkWait;
import dev.eddyline.analysis.timeline.ProcessInfo;
import dev.eddyline.analysis.timeline.SkippedRange;
import dev.eddyline.analysis.timeline.SourceInfo;
import dev.eddyline.analysis.timeline.Timeline;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The report as JSON: a contract, described by docs/report.schema.json. Within version 1 fields are
 * added, never removed or given another meaning.
 */
public final class JsonReport {
  /** Version of the contract. */
  public static final int VERSION = 1;

  private final Timeline timeline;
  private final Report report;
  private final ReportOptions options;
  private final JsonGenerator json;

  private JsonReport(Timeline timeline, Report report, ReportOptions options, JsonGenerator json) {
    this.timeline = timeline;
    this.report = report;
    this.options = options;
    this.json = json;
  }

  /** Writes the report; leaves the writer open. */
  public static void write(Timeline timeline, Report report, ReportOptions options, Writer target)
      throws IOException {
    JsonGenerator json = JsonDocument.open(target);
    new JsonReport(timeline, report, options, json).writeAll();
    JsonDocument.close(json);
  }

  private void writeAll() throws IOException {
    json.writeStartObject();
    json.writeStringField("format", "eddyline-report");
    json.writeNumberField("version", VERSION);
    writeTraces();
    writeSteps();
    writeCoverage(report.coverage());
    writeFindings();
    json.writeArrayFieldStart("latent_syncs");
    for (LatentSync latent : report.latentSyncs()) {
      writeLatent(latent);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("idle_syncs");
    for (Occurrence idle : report.idleSyncs()) {
      json.writeStartObject();
      writeOccurrenceFields(idle);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("work_waits");
    for (WorkWait wait : report.workWaits()) {
      writeWorkWait(wait);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("not_evaluated");
    for (NotEvaluated not : report.notEvaluated()) {
      json.writeStartObject();
      json.writeStringField("rule", not.rule());
      json.writeStringField("because", not.because());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void writeTraces() throws IOException {
    json.writeArrayFieldStart("traces");
    for (int i = 0; i < timeline.sources().size(); i++) {
      SourceInfo source = timeline.sources().get(i);
      json.writeStartObject();
      json.writeStringField("file", source.file());
      json.writeStringField("format", source.format());
      json.writeObjectFieldStart("properties");
      for (Map.Entry<String, String> property : source.properties().entrySet()) {
        json.writeStringField(property.getKey(), property.getValue());
      }
      json.writeEndObject();
      json.writeArrayFieldStart("processes");
      for (ProcessInfo process : timeline.processes()) {
        if (process.source() == i) {
          json.writeStartObject();
          writeId("rank", process.rank());
          writeId("world_size", process.worldSize());
          writeId("pid", process.pid());
          writeText("host", process.host());
          json.writeEndObject();
        }
      }
      json.writeEndArray();
      json.writeArrayFieldStart("skipped");
      for (SkippedRange skipped : timeline.skipped()) {
        if (skipped.source() == i) {
          json.writeStartObject();
          json.writeNumberField("from_byte", skipped.fromByte());
          writeId("to_byte", skipped.toByte());
          json.writeStringField("what", skipped.what());
          json.writeEndObject();
        }
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void writeSteps() throws IOException {
    json.writeArrayFieldStart("steps");
    for (Steps.Step step : report.steps().steps()) {
      json.writeStartObject();
      json.writeStringField("name", step.name());
      writeId("rank", timeline.process(step.process()).rank());
      json.writeNumberField("start_ns", step.startNs());
      json.writeNumberField("end_ns", step.endNs());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void writeCoverage(Coverage coverage) throws IOException {
    json.writeObjectFieldStart("coverage");
    json.writeNumberField("waits", coverage.waits());
    json.writeNumberField("waits_recorded", coverage.waitsRecorded());
    json.writeNumberField("waits_inferred", coverage.waitsInferred());
    json.writeNumberField("waits_unknown", coverage.waitsUnknown());
    json.writeNumberField("waits_empty", coverage.waitsEmpty());
    json.writeNumberField("waits_nccl_internal", coverage.waitsNcclInternal());
    json.writeNumberField("waits_no_stream", coverage.waitsNoStream());
    writeNumber("dropped_records", coverage.droppedRecords());
    json.writeNumberField("host_syncs", coverage.hostSyncs());
    json.writeNumberField("host_syncs_with_stream", coverage.hostSyncsWithStream());
    json.writeNumberField("polls", coverage.polls());
    json.writeNumberField("graph_launches", coverage.graphLaunches());
    json.writeNumberField("graph_ops", coverage.graphOps());
    json.writeBooleanField("addresses", coverage.hasAddresses());
    json.writeNumberField("ranks_loaded", coverage.ranksLoaded());
    writeId("ranks_expected", coverage.ranksExpected());
    json.writeArrayFieldStart("answers");
    for (Coverage.Answer answer : coverage.answers()) {
      json.writeStartObject();
      json.writeStringField("question", answer.question());
      json.writeStringField("verdict", answer.verdict().name().toLowerCase(java.util.Locale.ROOT));
      json.writeStringField("value", answer.value());
      json.writeStringField("detail", answer.detail());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void writeFindings() throws IOException {
    json.writeArrayFieldStart("findings");
    List<Finding> findings = report.findings();
    for (int i = 0; i < findings.size() && i < options.top(); i++) {
      Finding finding = findings.get(i);
      json.writeStartObject();
      json.writeStringField("id", Integer.toString(i + 1));
      json.writeStringField("rule", finding.rule());
      json.writeStringField("severity", finding.severity().word());
      json.writeStringField("confidence", finding.confidence().word());
      json.writeStringField("title", finding.title());
      json.writeStringField("summary", finding.summary());
      json.writeStringField("explanation", finding.explanation());
      json.writeStringField("remedy", finding.remedy());
      writeTexts("sure", finding.sure());
      writeTexts("guessed", finding.guessed());
      writeNumber("blocked_ns", finding.blockedNs());
      writeNumber("idle_ns", finding.idleNs());
      writeNumber("gain_ns", finding.gainNs());
      json.writeBooleanField("expected", finding.expected());
      json.writeNumberField("steps", finding.steps());
      json.writeArrayFieldStart("occurrences");
      for (Occurrence occurrence : finding.occurrences()) {
        json.writeStartObject();
        writeOccurrenceFields(occurrence);
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void writeOccurrenceFields(Occurrence occurrence) throws IOException {
    json.writeNumberField("start_ns", occurrence.startNs());
    json.writeNumberField("end_ns", occurrence.endNs());
    writeId("rank", occurrence.rank());
    writeText("thread", occurrence.thread());
    writeText("call", occurrence.call());
    writeId("correlation", occurrence.correlation());
    writeText("stream", occurrence.stream());
    json.writeArrayFieldStart("where");
    for (Place place : occurrence.where()) {
      json.writeStartObject();
      json.writeStringField("kind", place.kind().word());
      json.writeStringField("name", place.name());
      if (!place.file().isEmpty()) {
        json.writeStringField("file", place.file());
      }
      if (place.line() > 0) {
        json.writeNumberField("line", place.line());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("blame");
    for (Segment segment : occurrence.blame()) {
      writeSegment(segment);
    }
    json.writeEndArray();
    writeTexts("java_stack", occurrence.javaStack());
  }

  private void writeSegment(Segment segment) throws IOException {
    json.writeStartObject();
    json.writeStringField("state", segment.state().word());
    if (!segment.op().isEmpty()) {
      json.writeStringField("op", segment.op());
      writeId("correlation", segment.correlation());
    }
    if (!segment.stream().isEmpty()) {
      json.writeStringField("stream", segment.stream());
    }
    json.writeNumberField("start_ns", segment.startNs());
    json.writeNumberField("ns", segment.ns());
    json.writeArrayFieldStart("via");
    for (Segment.Via via : segment.via()) {
      json.writeStartObject();
      json.writeStringField("kind", via.kind());
      json.writeStringField("known", via.known());
      json.writeStringField("rule", via.rule());
      json.writeNumberField("confidence", via.confidence());
      writeId("from_correlation", via.fromCorrelation());
      writeId("to_correlation", via.toCorrelation());
      json.writeStringField("text", via.text());
      json.writeEndObject();
    }
    json.writeEndArray();
    if (segment.state() == Segment.State.DEVICE_BUSY || !segment.beside().isEmpty()) {
      json.writeArrayFieldStart("beside");
      for (Segment.Beside beside : segment.beside()) {
        json.writeStartObject();
        json.writeStringField("op", beside.op());
        writeId("correlation", beside.correlation());
        writeText("stream", beside.stream());
        json.writeEndObject();
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private void writeLatent(LatentSync latent) throws IOException {
    json.writeStartObject();
    writeOccurrenceFields(latent.occurrence());
    writeTexts("could_wait_for", latent.couldWaitFor());
    json.writeArrayFieldStart("could_wait_for_correlations");
    for (long correlation : latent.correlations()) {
      json.writeNumber(correlation);
    }
    json.writeEndArray();
    json.writeStringField("confidence", latent.confidence().word());
    json.writeEndObject();
  }

  private void writeWorkWait(WorkWait wait) throws IOException {
    json.writeStartObject();
    json.writeStringField("kind", wait.kind());
    json.writeNumberField("start_ns", wait.startNs());
    json.writeNumberField("host_ns", wait.hostNs());
    writeId("rank", wait.rank());
    writeText("thread", wait.thread());
    writeText("communicator", wait.communicator());
    writeText("collective", wait.collective());
    writeText("stream", wait.stream());
    json.writeBooleanField("held_host", wait.heldHost());
    writeText("through", wait.through());
    json.writeNumberField("held_host_ns", wait.heldHostNs());
    json.writeEndObject();
  }

  private void writeTexts(String name, List<String> texts) throws IOException {
    json.writeArrayFieldStart(name);
    for (String text : texts) {
      json.writeString(text);
    }
    json.writeEndArray();
  }

  private void writeId(String name, long value) throws IOException {
    JsonDocument.id(json, name, value);
  }

  private void writeText(String name, String value) throws IOException {
    if (value.isEmpty()) {
      json.writeNullField(name);
    } else {
      json.writeStringField(name, value);
    }
  }

  private void writeNumber(String name, @Nullable Long value) throws IOException {
    JsonDocument.number(json, name, value);
  }
}
