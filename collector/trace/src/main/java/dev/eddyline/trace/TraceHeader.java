package dev.eddyline.trace;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a trace file says of itself in its first frame.
 *
 * @param writer program and version that write the file
 * @param pid process that writes it, -1 if it does not matter
 * @param host name of the machine, "" if it does not matter
 * @param clock the clocks at the beginning; null for a file whose times are since the Unix epoch
 *     already
 * @param properties versions and the like, in the order to show them: "CUDA" → "13.0"
 * @param enabled kinds of records that were recorded
 * @param perturbing what was on that may change how the program runs
 */
public record TraceHeader(
    String writer,
    long pid,
    String host,
    @Nullable ClockTriple clock,
    Map<String, String> properties,
    List<String> enabled,
    List<String> perturbing) {
  public TraceHeader {
    Objects.requireNonNull(writer);
    Objects.requireNonNull(host);
    properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
    enabled = List.copyOf(enabled);
    perturbing = List.copyOf(perturbing);
  }

  /** The header of a file whose times are nanoseconds since the Unix epoch. */
  public static TraceHeader imported(String writer) {
    return new TraceHeader(writer, RecordType.NONE, "", null, Map.of(), List.of(), List.of());
  }

  void encode(CborOutput out, boolean rawBlocks) {
    out.map(clock == null ? 10 : 11);
    text(out, "format", "eddyline-trace");
    out.text("version");
    out.integer(FrameHeader.VERSION);
    text(out, "needs", FrameHeader.NEEDS);
    text(out, "writer", writer);
    text(out, "compression", rawBlocks ? "raw" : "zstd");
    text(out, "axis", clock == null ? "epoch" : "monotonic");
    if (clock != null) {
      out.text("clock");
      encode(clock, out);
    }
    out.text("pid");
    out.integer(pid);
    text(out, "host", host);
    out.text("properties");
    out.map(properties.size());
    properties.forEach((key, value) -> text(out, key, value));
    out.text("recorded");
    out.map(2);
    texts(out, "enabled", enabled);
    texts(out, "perturbing", perturbing);
  }

  static void encode(ClockTriple clock, CborOutput out) {
    out.array(3);
    out.integer(clock.cupti());
    out.integer(clock.monotonic());
    out.integer(clock.realtime());
  }

  private static void text(CborOutput out, String key, String value) {
    out.text(key);
    out.text(value);
  }

  private static void texts(CborOutput out, String key, List<String> values) {
    out.text(key);
    out.array(values.size());
    values.forEach(out::text);
  }
}
