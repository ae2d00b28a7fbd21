package dev.eddyline.viewer.view;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.eddyline.viewer.chart.ChartInput;
import dev.eddyline.viewer.chart.ColourBy;
import dev.eddyline.viewer.model.Selection;
import dev.eddyline.viewer.model.Selections;
import dev.eddyline.viewer.model.Viewport;
import dev.eddyline.viewer.paint.Theme;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Set;

/**
 * A view of a trace that can be handed on: a small JSON file beside the trace, {@code
 * TRACE.session.json}, with the view, the selection, pins, hidden rows, marks and notes. Rows that
 * a trace does not have are passed over; a file of a newer version is refused.
 */
public final class SessionFile {
  private static final int VERSION = 1;
  private static final int MOST_BYTES = 4 << 20;
  private static final int MOST_MARKS = 10_000;
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(64 << 10).maxNestingDepth(16).build())
          .build();

  private SessionFile() {}

  /** The session file of a trace. */
  public static Path of(Path trace) {
    return trace.resolveSibling(trace.getFileName() + ".session.json");
  }

  /** Writes a view; the file is there as a whole or not at all. */
  public static void write(TraceView view, Path file) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = JSON.createGenerator(text).useDefaultPrettyPrinter()) {
      out.writeStartObject();
      out.writeNumberField("version", VERSION);
      out.writeNumberField("start_ns", view.viewport().startNs());
      out.writeNumberField("end_ns", view.viewport().endNs());
      out.writeStringField("select", Selections.words(view.selection(), view.model()));
      out.writeStringField("theme", view.theme().dark() ? "dark" : "light");
      out.writeStringField("colour_by", view.colourBy().word());
      out.writeStringField("filter", view.rowState().filter());
      rows(out, "pinned", view, view.rowState().pinned());
      rows(out, "hidden", view, view.rowState().hidden());
      rows(out, "collapsed", view, view.rowState().collapsed());
      out.writeArrayFieldStart("marks");
      for (ChartInput.Mark mark : view.marks()) {
        out.writeStartObject();
        out.writeNumberField("time_ns", mark.timeNs());
        out.writeStringField("note", mark.name());
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeEndObject();
    }
    Path part = file.resolveSibling(file.getFileName() + ".part");
    Files.writeString(part, text + "\n", StandardCharsets.UTF_8);
    Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void rows(JsonGenerator out, String name, TraceView view, Set<Integer> tracks)
      throws IOException {
    out.writeArrayFieldStart(name);
    for (int track : tracks) {
      out.writeString(name(view, track));
    }
    out.writeEndArray();
  }

  /** A row by what it is, not by its number: a session outlives a new version of the viewer. */
  private static String name(TraceView view, int track) {
    var row = view.model().tracks().get(track);
    int rank = view.model().timeline().process(row.process()).rank();
    return "rank" + rank + "/" + row.kind().name().toLowerCase(Locale.ROOT) + "/" + row.label();
  }

  /**
   * Applies a session file to a view.
   *
   * @throws IOException with a sentence, if it is none, too large, or of a newer version
   */
  public static void read(TraceView view, Path file) throws IOException {
    if (Files.size(file) > MOST_BYTES) {
      throw new IOException(file + ": too large for a session file");
    }
    try (JsonParser in = JSON.createParser(Files.readString(file))) {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException(file + ": no session file: it does not begin with {");
      }
      new Reader(view, file, in).read();
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new IOException(file + ": no session file: " + e.getOriginalMessage(), e);
    }
  }

  private static final class Reader {
    private final TraceView view;
    private final Path file;
    private final JsonParser in;
    private long start;
    private long end;

    Reader(TraceView view, Path file, JsonParser in) {
      this.view = view;
      this.file = file;
      this.in = in;
      this.start = view.viewport().startNs();
      this.end = view.viewport().endNs();
    }

    void read() throws IOException {
      view.rowState().pinned().clear();
      view.rowState().hidden().clear();
      view.rowState().collapsed().clear();
      view.marks().clear();
      while (in.nextToken() == JsonToken.FIELD_NAME) {
        String field = in.currentName();
        in.nextToken();
        switch (field) {
          case "version" -> checkVersion();
          case "start_ns" -> start = in.getValueAsLong(start);
          case "end_ns" -> end = in.getValueAsLong(end);
          case "select" -> select(in.getValueAsString(""));
          case "theme" ->
              view.theme(in.getValueAsString("").equals("light") ? Theme.LIGHT : Theme.DARK);
          case "colour_by" -> colour(in.getValueAsString(""));
          case "filter" -> view.rowState().filter(in.getValueAsString(""));
          case "pinned" -> rows(view.rowState().pinned());
          case "hidden" -> rows(view.rowState().hidden());
          case "collapsed" -> rows(view.rowState().collapsed());
          case "marks" -> marks();
          default -> in.skipChildren();
        }
      }
      expect(JsonToken.END_OBJECT);
      view.layout();
      view.show(Viewport.of(view.model().whole(), Math.min(start, end), Math.max(start, end)));
    }

    private void expect(JsonToken token) throws IOException {
      if (in.currentToken() != token) {
        throw new IOException(
            file + ": no session file: " + in.currentToken() + " where " + token + " should be");
      }
    }

    private void checkVersion() throws IOException {
      int version = in.getValueAsInt(0);
      if (version > VERSION) {
        throw new IOException(
            file + ": a session of version " + version + "; this Eddyline reads up to " + VERSION);
      }
    }

    private void select(String words) {
      if (words.isEmpty()) {
        view.select(Selection.NONE);
        return;
      }
      try {
        view.select(Selections.parse(words, view.model()));
      } catch (IllegalArgumentException gone) {
        // The trace was analysed by another version that found something else.
        view.select(Selection.NONE);
      }
    }

    private void colour(String word) {
      for (ColourBy by : ColourBy.values()) {
        if (by.word().equals(word)) {
          view.colourBy(by);
        }
      }
    }

    private void rows(Set<Integer> target) throws IOException {
      while (in.nextToken() == JsonToken.VALUE_STRING) {
        for (var track : view.model().tracks()) {
          if (name(view, track.index()).equals(in.getText())) {
            target.add(track.index());
          }
        }
      }
      expect(JsonToken.END_ARRAY);
    }

    private void marks() throws IOException {
      while (in.nextToken() == JsonToken.START_OBJECT) {
        long time = 0;
        String note = "";
        while (in.nextToken() == JsonToken.FIELD_NAME) {
          String field = in.currentName();
          in.nextToken();
          if (field.equals("time_ns")) {
            time = in.getValueAsLong(0);
          } else if (field.equals("note")) {
            note = in.getValueAsString("");
          } else {
            in.skipChildren();
          }
        }
        if (view.marks().size() < MOST_MARKS) {
          view.marks().add(new ChartInput.Mark(time, note));
        }
      }
      expect(JsonToken.END_ARRAY);
    }
  }
}
