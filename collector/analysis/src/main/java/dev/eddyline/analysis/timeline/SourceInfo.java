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
}
