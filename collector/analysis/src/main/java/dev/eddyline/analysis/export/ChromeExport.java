package dev.eddyline.analysis.export;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.TraceInput;
import dev.eddyline.analysis.rule.Analysis;
import dev.eddyline.analysis.timeline.Timeline;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * A trace for Perfetto and chrome://tracing, with arrows from record to wait and from op to host
 * sync, and a mark for every occurrence of a finding. One Kineto file is copied, so that nothing of
 * it is lost; anything else is made from the timeline.
 */
public final class ChromeExport {
  private static final int HEAD = 64;

  private ChromeExport() {}

  /**
   * Writes the trace; leaves the stream open.
   *
   * @param files the files that the timeline was read from
   */
  public static void write(
      Analysis analysis, List<Path> files, ReadOptions options, OutputStream target)
      throws IOException {
    Timeline timeline = analysis.graph().timeline();
    ChromeAdditions additions = new ChromeAdditions(analysis);
    JsonGenerator json = new JsonFactory().createGenerator(target);
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.enable(JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN);
    json.setPrettyPrinter(new Lines());
    if (files.size() == 1 && timeline.skipped().isEmpty() && isJson(files.get(0))) {
      KinetoCopy.write(files.get(0), timeline, additions, json, options);
    } else {
      new ChromeGenerator(timeline, additions, json).write();
    }
    json.writeRaw('\n');
    json.close();
  }

  /**
   * An .eddy made of a Kineto file says that its source is Kineto, but there is no JSON to copy.
   */
  private static boolean isJson(Path file) throws IOException {
    String head = new String(TraceInput.head(file, HEAD), StandardCharsets.UTF_8).strip();
    return head.startsWith("{") || head.startsWith("[");
  }

  /** Puts each event on a line of its own, so that line tools and error messages can use it. */
  private static final class Lines extends MinimalPrettyPrinter {
    private static final long serialVersionUID = 1L;
    private transient int depth;

    @Override
    public void writeStartArray(JsonGenerator target) throws IOException {
      depth++;
      super.writeStartArray(target);
      if (depth == 1) {
        target.writeRaw('\n');
      }
    }

    @Override
    public void writeArrayValueSeparator(JsonGenerator target) throws IOException {
      super.writeArrayValueSeparator(target);
      if (depth == 1) {
        target.writeRaw('\n');
      }
    }

    @Override
    public void writeEndArray(JsonGenerator target, int values) throws IOException {
      depth--;
      super.writeEndArray(target, values);
    }
  }
}
