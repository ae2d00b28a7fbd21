package dev.eddyline.viewer;

import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.Traces;
import dev.eddyline.viewer.model.TraceModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The recorded traces of the samples, opened once. */
public final class Samples {
  public static final String FOLDER = "../samples/traces/";
  public static final String BEFORE = "diloco_before_rank0.json.gz";
  public static final String AFTER = "diloco_after_rank0.json.gz";
  public static final String POOL = "callback-from-pool-pool-sim-rank0.eddy";
  private static final Map<String, TraceModel> OPENED = new ConcurrentHashMap<>();

  private Samples() {}

  public static TraceModel open(String... files) {
    return OPENED.computeIfAbsent(String.join(" ", files), key -> read(files));
  }

  public static TraceModel before() {
    return open(BEFORE);
  }

  public static TraceModel bothRanks() {
    return open(BEFORE, BEFORE.replace("rank0", "rank1"));
  }

  private static TraceModel read(String... files) {
    List<Path> paths = Arrays.stream(files).map(file -> Path.of(FOLDER, file)).toList();
    try {
      return TraceModel.of(files[0], Traces.open(paths, ReadOptions.defaults()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
