package dev.eddyline.benchmark;

import dev.eddyline.analysis.export.EddyExport;
import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.Traces;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.FileSink;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.WriterOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Prints for each trace file that it is given how many bytes per record it takes as {@code .eddy},
 * strings and all, by compression level and rows per block. The budget is 12 (design, §11).
 */
public final class EddySizes {
  private static final int[] LEVELS = {1, 3, 9};
  private static final int[] BLOCK_ROWS = {1 << 12, 1 << 14, 1 << 16};

  private EddySizes() {}

  public static void main(String[] files) throws IOException {
    Path folder = Files.createTempDirectory("eddy");
    for (String file : files) {
      Timeline timeline = Traces.open(List.of(Path.of(file)), ReadOptions.defaults());
      StringBuilder line = new StringBuilder(file).append("  records ").append(records(timeline));
      for (int level : LEVELS) {
        for (int rows : BLOCK_ROWS) {
          double bytes = bytesPerRecord(timeline, folder.resolve("run.eddy"), level, rows);
          line.append(String.format(Locale.ROOT, "  level %d, %d rows: %.2f", level, rows, bytes));
        }
      }
      System.out.println(line);
    }
    Files.delete(folder);
  }

  private static double bytesPerRecord(Timeline timeline, Path target, int level, int rows)
      throws IOException {
    WriterOptions options = WriterOptions.defaults().withLevel(level).withBlockRows(rows);
    EddyExport.write(timeline, FileSink.create(target), false, options);
    double bytes = (double) Files.size(target) / records(timeline);
    Files.delete(target);
    return bytes;
  }

  private static long records(Timeline timeline) {
    long records = 0;
    for (RecordType type : RecordType.values()) {
      records += timeline.table(type).size();
    }
    return records;
  }
}
