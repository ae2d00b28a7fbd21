package dev.eddyline.analysis.deps;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.eddyline.analysis.report.JsonDocument;
import dev.eddyline.analysis.timeline.SourceInfo;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which stream waits for which, as JSON: a contract, described by docs/deps.schema.json. Within
 * version 1 fields are added, never removed or given another meaning.
 */
public final class DepsJson {
  private static final int VERSION = 1;
  private final JsonGenerator json;

  private DepsJson(JsonGenerator json) {
    this.json = json;
  }

  /** Writes one trace, or two with their comparison; leaves the writer open. */
  public static void write(List<StreamDependencies> traces, Writer target) throws IOException {
    JsonGenerator json = JsonDocument.open(target);
    new DepsJson(json).document(traces);
    JsonDocument.close(json);
  }

  private void document(List<StreamDependencies> traces) throws IOException {
    json.writeStartObject();
    json.writeStringField("format", "eddyline-deps");
    json.writeNumberField("version", VERSION);
    json.writeArrayFieldStart("traces");
    for (StreamDependencies deps : traces) {
      trace(deps);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("changes");
    if (traces.size() == 2) {
      for (Comparison.Row row : new Comparison(traces.get(0), traces.get(1)).rows()) {
        json.writeStartObject();
        json.writeStringField("waiter", row.waiter());
        json.writeStringField("waits_for", row.target());
        number("before", row.before());
        number("after", row.after());
        json.writeStringField("change", row.change().isEmpty() ? "same" : row.change());
        json.writeEndObject();
      }
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void trace(StreamDependencies deps) throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("files");
    for (SourceInfo source : deps.timeline().sources()) {
      json.writeString(source.file());
    }
    json.writeEndArray();
    json.writeNumberField("ranks", deps.ranks());
    json.writeNumberField("steps", deps.stepCount());
    json.writeNumberField("waits", deps.waits());
    json.writeNumberField("waits_recorded", deps.recorded());
    json.writeArrayFieldStart("dependencies");
    for (Dependency row : deps.rows()) {
      dependency(row);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("indirect");
    for (IndirectDependency indirect : deps.indirect()) {
      json.writeStartObject();
      json.writeStringField("later", indirect.later().label());
      json.writeStringField("earlier", indirect.earlier().label());
      json.writeStringField("cause", indirect.cause().word());
      json.writeStringField("through", indirect.through());
      json.writeNumberField("times", indirect.times());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("streams");
    for (StreamNote note : deps.notes()) {
      note(note);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("shared_roles");
    for (StreamDependencies.SharedRole shared : deps.shared()) {
      json.writeStartObject();
      json.writeStringField("stream", shared.first());
      json.writeStringField("role", shared.second());
      number("steps", shared.steps() < 0 ? null : (Integer) shared.steps());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void dependency(Dependency row) throws IOException {
    json.writeStartObject();
    party("waiter", row.waiter());
    party("waits_for", row.target());
    json.writeStringField("known", row.state().word());
    json.writeStringField("how", HowKnown.of(row));
    json.writeBooleanField("nccl_internal", row.ncclInternal());
    json.writeNumberField("count", row.waits().size());
    json.writeNumberField("in_steps", row.steps());
    json.writeArrayFieldStart("waits");
    for (WaitFact wait : row.waits()) {
      json.writeStartObject();
      id("rank", wait.rank());
      id("correlation", wait.correlation());
      id("record_correlation", wait.recordCorrelation());
      id("event", wait.event());
      id("start_ns", wait.timeNs());
      id("step", wait.step());
      json.writeStringField("rule", wait.rule().id());
      json.writeStringField("call", wait.call());
      json.writeStringField("communicator", wait.communicator());
      json.writeStringField("collective", wait.collective());
      id("resumed_after_ns", wait.resumedNs());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void party(String field, Party party) throws IOException {
    json.writeObjectFieldStart(field);
    json.writeStringField("kind", party.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    json.writeStringField("label", party.label());
    json.writeEndObject();
  }

  private void note(StreamNote note) throws IOException {
    json.writeStartObject();
    json.writeStringField("label", note.party().label());
    json.writeNumberField("ops", note.ops());
    json.writeNumberField("waits", note.waits());
    json.writeBooleanField("waits_complete", note.sureOfItsWaits());
    json.writeNumberField("waited_for", note.waitedFor());
    json.writeNumberField("open_waits_of_others", note.openWaits());
    json.writeNumberField("host_blocks", note.hostBlocks());
    json.writeNumberField("host_blocked_ns", note.hostBlockedNs());
    json.writeNumberField("idle_syncs", note.idleSyncs());
    json.writeEndObject();
  }

  private void id(String field, long value) throws IOException {
    JsonDocument.id(json, field, value);
  }

  private void number(String field, @Nullable Integer value) throws IOException {
    JsonDocument.number(json, field, value == null ? null : value.longValue());
  }
}
