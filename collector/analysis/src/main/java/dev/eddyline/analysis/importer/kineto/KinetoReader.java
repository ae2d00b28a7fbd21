package dev.eddyline.analysis.importer.kineto;

import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.TraceInput;
import dev.eddyline.analysis.importer.TraceReader;
import dev.eddyline.analysis.timeline.TimelineBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads the Chrome trace JSON that Kineto (torch.profiler) writes: an object with {@code
 * traceEvents} or a bare array of events, plain or gzip, of 2021 and later.
 */
public final class KinetoReader implements TraceReader {
  /** One of these fields stands near the start of every trace, and of few other JSON files. */
  private static final List<String> MARKS =
      List.of("\"traceEvents\"", "\"ph\"", "\"deviceProperties\"", "\"distributedInfo\"");

  /** Made by ServiceLoader. */
  public KinetoReader() {}

  @Override
  public String format() {
    return "Kineto";
  }

  @Override
  public boolean recognises(byte[] head) {
    int at = 0;
    boolean mark =
        head.length > 2
            && head[0] == (byte) 0xEF
            && head[1] == (byte) 0xBB
            && head[2] == (byte) 0xBF;
    at += mark ? 3 : 0;
    while (at < head.length && head[at] > 0 && head[at] <= ' ') {
      at++;
    }
    if (at == head.length || head[at] != '{' && head[at] != '[') {
      return false;
    }
    String text = new String(head, StandardCharsets.ISO_8859_1);
    return MARKS.stream().anyMatch(text::contains);
  }

  @Override
  public void read(Path file, TimelineBuilder target, ReadOptions options) throws IOException {
    try (TraceInput input = TraceInput.open(file, options.progress())) {
      new KinetoDocument(file, input, target, options).read();
    }
  }
}
