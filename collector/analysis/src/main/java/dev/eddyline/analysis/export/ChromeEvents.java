package dev.eddyline.analysis.export;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.eddyline.analysis.graph.Edge;
import java.io.IOException;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Writes single events of the Chrome trace format. */
final class ChromeEvents {
  /** Where a slice stands: process and thread as the file writes them, numbers or texts. */
  record Lane(Object pid, Object tid) {}

  private final JsonGenerator json;
  private final Nodes nodes;
  private int nextId = 1;

  ChromeEvents(JsonGenerator json, Nodes nodes) {
    this.json = json;
    this.nodes = nodes;
  }

  /** Nanoseconds as microseconds, exactly. */
  static BigDecimal micros(long ns) {
    return BigDecimal.valueOf(ns, 3);
  }

  /** Begins an event; the caller may add fields before it ends the object. */
  void begin(String phase, String category, String name, Lane lane, long ns) throws IOException {
    json.writeStartObject();
    json.writeStringField("ph", phase);
    json.writeStringField("cat", category);
    json.writeStringField("name", name);
    writeScalar("pid", lane.pid());
    writeScalar("tid", lane.tid());
    json.writeNumberField("ts", micros(ns));
  }

  private void writeScalar(String name, Object value) throws IOException {
    if (value instanceof Long number) {
      json.writeNumberField(name, number);
    } else {
      json.writeStringField(name, value.toString());
    }
  }

  /** An arrow: two events with one id. */
  void arrow(ChromeAdditions.Arrow arrow, Lane from, Lane to, long baseNs) throws IOException {
    int id = nextId++;
    Edge edge = arrow.edge();
    for (boolean start : new boolean[] {true, false}) {
      long ns = (start ? arrow.from() : arrow.to()).timeNs() - baseNs;
      begin(start ? "s" : "f", "eddyline", arrow.name(), start ? from : to, ns);
      json.writeNumberField("id", id);
      if (!start) {
        json.writeStringField("bp", "e");
      }
      json.writeObjectFieldStart("args");
      json.writeStringField("known", edge.known().word());
      if (!edge.rule().isEmpty()) {
        json.writeStringField("rule", edge.rule());
        json.writeNumberField("confidence", edge.confidence());
      }
      writeCorrelation("from_correlation", edge.from());
      writeCorrelation("to_correlation", edge.to());
      json.writeEndObject();
      json.writeEndObject();
    }
  }

  private void writeCorrelation(String name, Edge.@Nullable Node node) throws IOException {
    long correlation = node == null ? -1 : nodes.correlation(node);
    if (correlation >= 0) {
      json.writeNumberField(name, correlation);
    }
  }

  /** A mark for a finding. */
  void mark(ChromeAdditions.Mark mark, @Nullable Lane lane, long baseNs) throws IOException {
    Lane where = lane == null ? new Lane(0L, 0L) : lane;
    begin("i", "eddyline", mark.name(), where, mark.timeNs() - baseNs);
    json.writeStringField("s", lane == null ? "g" : "t");
    json.writeObjectFieldStart("args");
    json.writeStringField("severity", mark.finding().severity().word());
    json.writeStringField("confidence", mark.finding().confidence().word());
    json.writeStringField("summary", mark.finding().summary());
    json.writeEndObject();
    json.writeEndObject();
  }
}
