package dev.eddyline.benchmark;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedInputStream;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Makes a large Kineto trace of a small one: its events several times, each time later, with
 * correlation ids, flow ids and external ids of their own, in the layout in which Kineto itself
 * writes. The file is read again for every repetition, so that memory does not grow.
 */
public final class GrowKineto {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();
  private static final String[] IDS = {
    "correlation", "External id", "external id", "wait_on_cuda_event_record_corr_id"
  };

  private final Path input;
  private BigDecimal first = BigDecimal.ZERO;
  private BigDecimal span = BigDecimal.ZERO;
  private long maxId;

  private GrowKineto(Path input) {
    this.input = input;
  }

  /**
   * Grows a file.
   *
   * @param arguments input, how many times, output; an output that ends in .gz is compressed
   */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 3) {
      System.err.println("usage: GrowKineto input factor output");
      System.exit(3);
    }
    grow(Path.of(arguments[0]), Integer.parseInt(arguments[1]), Path.of(arguments[2]));
  }

  /** Writes {@code factor} repetitions of a trace's events into a new file. */
  public static void grow(Path input, int factor, Path output) throws IOException {
    GrowKineto grower = new GrowKineto(input);
    grower.measure();
    try (OutputStream file = Files.newOutputStream(output);
        OutputStream bytes =
            output.toString().endsWith(".gz") ? new GZIPOutputStream(file, 1 << 16) : file;
        Writer writer =
            new BufferedWriter(new OutputStreamWriter(bytes, StandardCharsets.UTF_8), 1 << 16)) {
      grower.write(factor, writer);
    }
  }

  private interface EventUser {
    void use(ObjectNode event) throws IOException;
  }

  private interface FieldUser {
    void use(String name, JsonNode value) throws IOException;
  }

  private void read(FieldUser fields, EventUser events) throws IOException {
    try (InputStream file = new BufferedInputStream(Files.newInputStream(input));
        InputStream plain = isGzip(file) ? new GZIPInputStream(file, 1 << 16) : file;
        JsonParser parser = MAPPER.createParser(plain)) {
      parser.nextToken();
      for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
        parser.nextToken();
        if (!field.equals("traceEvents")) {
          fields.use(field, parser.<JsonNode>readValueAsTree());
          continue;
        }
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          events.use(parser.<ObjectNode>readValueAsTree());
        }
      }
    }
  }

  private static boolean isGzip(InputStream file) throws IOException {
    file.mark(2);
    boolean gzip = file.read() == 0x1F && file.read() == 0x8B;
    file.reset();
    return gzip;
  }

  private void measure() throws IOException {
    BigDecimal[] range = new BigDecimal[2];
    read(
        (name, value) -> {},
        event -> {
          if (!isRepeated(event)) {
            return;
          }
          BigDecimal start = event.get("ts").decimalValue();
          BigDecimal end = start.add(event.path("dur").decimalValue());
          range[0] = range[0] == null ? start : range[0].min(start);
          range[1] = range[1] == null ? end : range[1].max(end);
          maxId = Math.max(maxId, event.path("id").asLong());
          for (String id : IDS) {
            maxId = Math.max(maxId, event.path("args").path(id).asLong());
          }
        });
    first = range[0] == null ? BigDecimal.ZERO : range[0];
    span = range[1] == null ? BigDecimal.ZERO : range[1].subtract(first).add(BigDecimal.TEN);
  }

  private static boolean isRepeated(JsonNode event) {
    String category = event.path("cat").asText();
    String phase = event.path("ph").asText();
    boolean known = !phase.equals("M") && !phase.equals("i") && !category.equals("Trace");
    return known && event.path("ts").isNumber();
  }

  private void write(int factor, Writer writer) throws IOException {
    writer.write("{\n");
    ObjectNode header = MAPPER.createObjectNode();
    read(header::set, event -> {});
    for (Map.Entry<String, JsonNode> field : header.properties()) {
      writer.write("  \"" + field.getKey() + "\": " + field.getValue() + ",\n");
    }
    writer.write("  \"traceEvents\": [");
    boolean[] any = new boolean[1];
    for (int i = 0; i < factor; i++) {
      int repetition = i;
      read(
          (name, value) -> {},
          event -> {
            if (isRepeated(event)) {
              shift(event, repetition);
            } else if (repetition > 0) {
              return;
            }
            writer.write(any[0] ? ",\n" : "\n");
            any[0] = true;
            writeEvent(event, writer);
          });
    }
    writer.write("\n  ]\n}\n");
  }

  private void shift(ObjectNode event, int repetition) {
    BigDecimal later = span.multiply(BigDecimal.valueOf(repetition));
    event.set("ts", DecimalNode.valueOf(event.get("ts").decimalValue().add(later)));
    long add = repetition * (maxId + 1);
    shiftId(event, "id", add);
    if (event.get("args") instanceof ObjectNode arguments) {
      for (String id : IDS) {
        shiftId(arguments, id, add);
      }
    }
  }

  private static void shiftId(ObjectNode node, String name, long add) {
    JsonNode id = node.get(name);
    if (id != null && id.isIntegralNumber() && id.asLong() > 0) {
      node.set(name, LongNode.valueOf(id.asLong() + add));
    }
  }

  private static void writeEvent(ObjectNode event, Writer writer) throws IOException {
    writer.write("  {\n    ");
    String separator = "";
    for (Map.Entry<String, JsonNode> field : event.properties()) {
      writer.write(separator);
      writer.write('"' + field.getKey() + "\": ");
      if (field.getKey().equals("args")) {
        writeArguments(field.getValue(), writer);
      } else {
        writer.write(text(field.getValue()));
      }
      boolean lineEnds = field.getKey().equals("tid") || field.getKey().equals("dur");
      separator = lineEnds ? ",\n    " : ", ";
    }
    writer.write("\n  }");
  }

  private static void writeArguments(JsonNode arguments, Writer writer) throws IOException {
    writer.write("{\n      ");
    String separator = "";
    for (Map.Entry<String, JsonNode> field : arguments.properties()) {
      writer.write(separator);
      writer.write('"' + field.getKey() + "\": " + text(field.getValue()));
      separator = ", ";
    }
    writer.write("\n    }");
  }

  private static String text(JsonNode value) {
    return value.isBigDecimal() ? value.decimalValue().toPlainString() : value.toString();
  }
}
