package dev.eddyline.analysis.ci;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import dev.eddyline.analysis.ci.CiResult.Outcome;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Results as SARIF 2.1.0, which code hosts show beside the lines of a change. */
public final class SarifReport {
  private static final String SCHEMA =
      "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
  private static final String ROOT = "SRCROOT";
  private static final char[] HEX = "0123456789ABCDEF".toCharArray();

  private final JsonGenerator json;
  private final CiReport report;
  private final UnaryOperator<SourceLine> sources;
  private final Map<String, Integer> ruleIndex = new LinkedHashMap<>();

  private SarifReport(CiReport report, UnaryOperator<SourceLine> sources, JsonGenerator json) {
    this.report = report;
    this.sources = sources;
    this.json = json;
  }

  /**
   * Writes the results; leaves the writer open.
   *
   * @param sources completes the file of a line where the program's sources are at hand
   */
  public static void write(CiReport report, UnaryOperator<SourceLine> sources, Writer target)
      throws IOException {
    JsonGenerator json = new JsonFactory().createGenerator(target);
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.setPrettyPrinter(
        new DefaultPrettyPrinter()
            .withObjectIndenter(new DefaultIndenter("  ", "\n"))
            .withArrayIndenter(new DefaultIndenter("  ", "\n")));
    new SarifReport(report, sources, json).writeAll();
    json.writeRaw('\n');
    json.close();
  }

  private void writeAll() throws IOException {
    json.writeStartObject();
    json.writeStringField("$schema", SCHEMA);
    json.writeStringField("version", "2.1.0");
    json.writeArrayFieldStart("runs");
    json.writeStartObject();
    writeTool();
    writeInvocation();
    json.writeArrayFieldStart("results");
    for (CiResult result : report.results()) {
      writeResult(result);
    }
    json.writeEndArray();
    json.writeStringField("columnKind", "unicodeCodePoints");
    json.writeEndObject();
    json.writeEndArray();
    json.writeEndObject();
  }

  private void writeTool() throws IOException {
    json.writeObjectFieldStart("tool");
    json.writeObjectFieldStart("driver");
    json.writeStringField("name", "Eddyline");
    if (!report.version().isEmpty()) {
      json.writeStringField("version", report.version());
    }
    json.writeArrayFieldStart("rules");
    for (CiReport.RuleText rule : report.rules()) {
      writeRule(rule.id(), rule.description());
    }
    for (CiResult result : report.results()) {
      if (!ruleIndex.containsKey(result.rule())) {
        writeRule(result.rule(), "");
      }
    }
    json.writeEndArray();
    json.writeEndObject();
    json.writeEndObject();
  }

  private void writeRule(String id, String description) throws IOException {
    if (ruleIndex.putIfAbsent(id, ruleIndex.size()) != null) {
      return;
    }
    json.writeStartObject();
    json.writeStringField("id", id);
    if (!description.isEmpty()) {
      writeText("shortDescription", description);
    }
    json.writeEndObject();
  }

  private void writeInvocation() throws IOException {
    json.writeArrayFieldStart("invocations");
    json.writeStartObject();
    json.writeBooleanField("executionSuccessful", true);
    json.writeArrayFieldStart("toolExecutionNotifications");
    json.writeStartObject();
    json.writeStringField("level", "note");
    writeText("message", report.verdict());
    json.writeEndObject();
    json.writeEndArray();
    json.writeEndObject();
    json.writeEndArray();
    json.writeArrayFieldStart("artifacts");
    for (String file : report.files().stream().distinct().toList()) {
      json.writeStartObject();
      json.writeObjectFieldStart("location");
      json.writeStringField("uri", uri(file));
      json.writeEndObject();
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void writeResult(CiResult result) throws IOException {
    json.writeStartObject();
    json.writeStringField("ruleId", result.rule());
    Integer index = ruleIndex.get(result.rule());
    if (index != null) {
      json.writeNumberField("ruleIndex", index);
    }
    json.writeStringField("kind", kind(result.outcome()));
    json.writeStringField("level", level(result));
    String remedy =
        result.details().stream().filter(line -> line.startsWith("Fix: ")).findFirst().orElse("");
    writeText("message", result.message() + (remedy.isEmpty() ? "" : "\n" + remedy));
    writeLocations(result.stack());
    if (!result.fingerprint().isEmpty()) {
      json.writeObjectFieldStart("partialFingerprints");
      json.writeStringField("eddyline/v1", result.fingerprint());
      json.writeEndObject();
    }
    writeBaselineState(result.isNew());
    if (result.suppressed() != null) {
      json.writeArrayFieldStart("suppressions");
      json.writeStartObject();
      json.writeStringField("kind", "external");
      json.writeStringField("justification", result.suppressed());
      json.writeEndObject();
      json.writeEndArray();
    }
    json.writeObjectFieldStart("properties");
    json.writeArrayFieldStart("details");
    for (String line : result.details()) {
      json.writeString(line);
    }
    json.writeEndArray();
    json.writeEndObject();
    json.writeEndObject();
  }

  private void writeBaselineState(@Nullable Boolean isNew) throws IOException {
    if (isNew != null) {
      json.writeStringField("baselineState", isNew ? "new" : "unchanged");
    }
  }

  private static String kind(Outcome outcome) {
    return switch (outcome) {
      case PASS -> "pass";
      case FAIL -> "fail";
      case INFO -> "informational";
      case CANNOT_ANSWER -> "open";
    };
  }

  /** Only what failed may have another level than "none". */
  private static String level(CiResult result) {
    if (result.outcome() != Outcome.FAIL) {
      return "none";
    }
    return switch (result.level()) {
      case ERROR -> "error";
      case WARNING -> "warning";
      case NOTE -> "note";
    };
  }

  /** The innermost line of the program; of a stack all of it. Else the trace itself. */
  private void writeLocations(List<SourceLine> stack) throws IOException {
    json.writeArrayFieldStart("locations");
    if (!stack.isEmpty()) {
      writeLocation(stack.get(0));
    } else if (!report.files().isEmpty()) {
      json.writeStartObject();
      json.writeObjectFieldStart("physicalLocation");
      json.writeObjectFieldStart("artifactLocation");
      json.writeStringField("uri", uri(report.files().get(0)));
      json.writeEndObject();
      json.writeEndObject();
      json.writeEndObject();
    }
    json.writeEndArray();
    if (stack.isEmpty()) {
      return;
    }
    json.writeArrayFieldStart("stacks");
    json.writeStartObject();
    json.writeArrayFieldStart("frames");
    for (SourceLine line : stack) {
      json.writeStartObject();
      json.writeFieldName("location");
      writeLocation(line);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
    json.writeEndArray();
  }

  private void writeLocation(SourceLine known) throws IOException {
    SourceLine line = sources.apply(known);
    json.writeStartObject();
    json.writeObjectFieldStart("physicalLocation");
    json.writeObjectFieldStart("artifactLocation");
    json.writeStringField("uri", uri(line.file()));
    if (!line.file().startsWith("/")) {
      json.writeStringField("uriBaseId", ROOT);
    }
    json.writeEndObject();
    json.writeObjectFieldStart("region");
    json.writeNumberField("startLine", line.line());
    json.writeEndObject();
    json.writeEndObject();
    json.writeArrayFieldStart("logicalLocations");
    json.writeStartObject();
    json.writeStringField("fullyQualifiedName", line.function());
    json.writeStringField("kind", "function");
    json.writeEndObject();
    json.writeEndArray();
    json.writeEndObject();
  }

  private void writeText(String name, String text) throws IOException {
    json.writeObjectFieldStart(name);
    json.writeStringField("text", text);
    json.writeEndObject();
  }

  /** A path as a relative reference of a URI: separators stay, all that is special is escaped. */
  private static String uri(String path) {
    StringBuilder uri = new StringBuilder();
    for (byte b : path.replace('\\', '/').getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      boolean plain = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
      if (plain || "-._~/$@+,=".indexOf(c) >= 0) {
        uri.append(c);
      } else {
        uri.append('%').append(HEX[c >> 4]).append(HEX[c & 15]);
      }
    }
    return uri.toString();
  }
}
