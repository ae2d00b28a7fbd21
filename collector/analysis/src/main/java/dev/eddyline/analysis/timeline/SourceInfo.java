package dev.eddyline.analysis.timeline;

import java.util.Map;

/**
 * One file that was read.
 *
 * @param file the name as the user gave it
 * @param format what it is: "Kineto", "Eddyline", …
 * @param properties what the file says of itself, in the order to show it: "CUDA" → "13.0", …
 */
public record SourceInfo(String file, String format, Map<String, String> properties) {
  public SourceInfo {
    properties = java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(properties));
  }

  /** Property that says how long was recorded: milliseconds with three decimals, "86.216 ms". */
  public static final String RECORDED = "recorded";

  /** How long was recorded, as the file says, to the microsecond; -1 where it does not say. */
  public long recordedNs() {
    String text = properties.getOrDefault(RECORDED, "");
    if (!text.matches("\\d{1,12}\\.\\d{3} ms")) {
      return -1;
    }
    return Long.parseLong(text.replaceAll("[^\\d]", "")) * 1000;
  }
}
