package dev.eddyline.analysis.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import java.io.IOException;
import java.io.Writer;
import org.jspecify.annotations.Nullable;

/** How Eddyline's own JSON documents look: indented, and null where a value is not known. */
public final class JsonDocument {
  private JsonDocument() {}

  /** A generator whose end leaves the target open. */
  public static JsonGenerator open(Writer target) throws IOException {
    JsonGenerator json = new JsonFactory().createGenerator(target);
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.setPrettyPrinter(
        new DefaultPrettyPrinter()
            .withObjectIndenter(new DefaultIndenter("  ", "\n"))
            .withArrayIndenter(new DefaultIndenter("  ", "\n"))
            .withSeparators(
                Separators.createDefaultInstance()
                    .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                    .withArrayEmptySeparator("")
                    .withObjectEmptySeparator("")));
    return json;
  }

  /** Ends the document with a line break. */
  public static void close(JsonGenerator json) throws IOException {
    json.writeRaw('\n');
    json.close();
  }

  /** A field of an id, rank or time: null where it is negative, that is not known. */
  public static void id(JsonGenerator json, String name, long value) throws IOException {
    number(json, name, value < 0 ? null : value);
  }

  /** A field of a number. */
  public static void number(JsonGenerator json, String name, @Nullable Long value)
      throws IOException {
    if (value == null) {
      json.writeNullField(name);
    } else {
      json.writeNumberField(name, value);
    }
  }
}
