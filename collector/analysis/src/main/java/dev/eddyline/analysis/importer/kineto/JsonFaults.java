package dev.eddyline.analysis.importer.kineto;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import dev.eddyline.analysis.importer.TraceReadLimits;
import java.util.Map;
import java.util.Objects;

/** Says in words what a JSON parser expected where it found something else. */
final class JsonFaults {
  private static final Map<String, String> EXPECTED =
      Map.ofEntries(
          Map.entry("was expecting double-quote to start field name", "a field name in quotes"),
          Map.entry("was expecting comma to separate Object entries", "',' or '}'"),
          Map.entry("was expecting comma to separate Array entries", "',' or ']'"),
          Map.entry("was expecting a colon", "':' after the field name"),
          Map.entry("Unrecognized token", "a value"),
          Map.entry("expected a valid value", "a value"),
          Map.entry("Unexpected close marker", "the end of what was opened last"),
          Map.entry("Unrecognized character escape", "a valid escape after '\\'"),
          Map.entry("hex-digit", "four hexadecimal digits after '\\u'"),
          Map.entry("Illegal unquoted character", "a text without control characters"),
          Map.entry("Illegal character", "JSON text"),
          Map.entry("UTF-8", "valid UTF-8"),
          Map.entry("umeric value", "a number"),
          Map.entry("Leading zeroes", "a number"),
          Map.entry("ecimal point", "a number"),
          Map.entry("xponent", "a number"),
          Map.entry("Non-standard token", "a value"),
          Map.entry("minus sign", "a number"),
          Map.entry("plus sign", "a number"));

  private JsonFaults() {}

  /** What was expected, in words that follow "expected ". */
  static String expected(JsonProcessingException fault, TraceReadLimits limits) {
    String message = Objects.requireNonNullElse(fault.getOriginalMessage(), "");
    if (fault instanceof JsonEOFException) {
      return "more: the file ends inside the trace";
    }
    if (fault instanceof StreamConstraintsException) {
      return limit(message, limits);
    }
    for (Map.Entry<String, String> each : EXPECTED.entrySet()) {
      if (message.contains(each.getKey())) {
        return each.getValue();
      }
    }
    return "JSON";
  }

  private static String limit(String message, TraceReadLimits limits) {
    if (message.contains("nesting depth")) {
      return "at most " + limits.maxDepth() + " levels of nesting";
    }
    if (message.contains("Number")) {
      return "a number of at most " + limits.maxNumberLength() + " digits";
    }
    if (message.contains("Name")) {
      return "a field name of at most " + limits.maxNameLength() + " characters";
    }
    return "a text of at most " + limits.maxStringLength() + " characters";
  }
}
