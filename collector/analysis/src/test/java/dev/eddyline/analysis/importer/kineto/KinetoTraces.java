package dev.eddyline.analysis.importer.kineto;

import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.TraceReadLimits;
import dev.eddyline.analysis.importer.Traces;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.TimelineBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Traces for tests: the recorded ones, and short ones written on the spot. */
public final class KinetoTraces {
  static final ReadOptions STRICT = ReadOptions.defaults();
  static final ReadOptions RECOVER = new ReadOptions(true, TraceReadLimits.defaults(), bytes -> {});

  private KinetoTraces() {}

  /** A recorded trace, by its name without ending. */
  public static Path recorded(String name) {
    String resource = "/traces/kineto/" + name + ".json.gz";
    URL url = Objects.requireNonNull(KinetoTraces.class.getResource(resource), resource);
    try {
      return Path.of(url.toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  static Timeline open(String recorded) throws IOException {
    return Traces.open(List.of(recorded(recorded)), STRICT);
  }

  static byte[] expanded(Path gzip) {
    try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(gzip))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static byte[] gzip(byte[] plain) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(plain);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static Timeline read(Path file, byte[] content, ReadOptions options) throws IOException {
    Files.write(file, content);
    return readAgain(file, options);
  }

  static Timeline readAgain(Path file, ReadOptions options) throws IOException {
    TimelineBuilder builder = new TimelineBuilder();
    new KinetoReader().read(file, builder, options);
    return builder.build();
  }

  static Timeline read(Path file, String content, ReadOptions options) throws IOException {
    return read(file, content.getBytes(StandardCharsets.UTF_8), options);
  }

  static Timeline read(Path file, String content) throws IOException {
    return read(file, content, STRICT);
  }
}
