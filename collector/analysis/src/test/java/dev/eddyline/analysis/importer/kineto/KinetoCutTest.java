package dev.eddyline.analysis.importer.kineto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.TraceReadException;
import dev.eddyline.analysis.timeline.Timeline;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are cut off anywhere, or changed anywhere, never do worse than a clear message. */
class KinetoCutTest {
  private static final String SMALL =
      """
      {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA H200", "numSms": 132}],
       "distributedInfo": {"rank": 0, "world_size": 2, "pg_config": [
         {"pg_name": "0", "pg_desc": "default_pg", "pg_size": 2}]},
       "traceEvents": [
        {"ph": "X", "cat": "kernel", "name": "k\\u00e9é", "pid": 0, "tid": 7, "ts": 1.250, "dur": 3,
         "args": {"stream": 7, "correlation": 5, "grid": [1, 2, 3], "occupancy": inf}},
        {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": "9",
         "ts": 1e0, "dur": 0.5, "args": {"correlation": 5}},
        {"ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "pid": 0, "tid": 7, "ts": 2,
         "dur": 1, "args": {"stream": 7, "correlation": 8, "wait_on_stream": -1}},
        {"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "pid": 9, "tid": 9, "ts": 0,
         "dur": 9, "args": {"Collective name": "allreduce", "Input Dims": [[[4]], []], "x": null}},
        {"ph": "s", "id": 5, "pid": 9, "tid": 9, "ts": 1, "cat": "ac2g", "name": "ac2g"},
        {"name": "thread_name", "ph": "M", "pid": 9, "tid": 9, "args": {"name": "main"}}
       ], "INFO": ["Out-of-range = 3"], "baseTimeNanoseconds": 1000}
      """;
  private static final int MUTATIONS = 300;
  @TempDir Path folder;

  private void readOrRefuse(byte[] bytes, ReadOptions options, Object what) {
    Path file = folder.resolve("t.json");
    try {
      Timeline timeline = KinetoTraces.read(file, bytes, options);
      assertThat(timeline.sources()).hasSize(1);
    } catch (TraceReadException e) {
      assertThat(e.getMessage()).as("%s", what).startsWith(file.toString()).hasLineCount(1);
    } catch (IOException | RuntimeException e) {
      fail("cut or changed at " + what, e);
    }
  }

  private static byte[] small() {
    return KinetoTraces.expanded(KinetoTraces.recorded("public/hta_event_sync"));
  }

  @Test
  void cutAtEveryByte() {
    byte[] whole = SMALL.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i <= whole.length; i++) {
      byte[] cut = Arrays.copyOf(whole, i);
      readOrRefuse(cut, KinetoTraces.STRICT, i);
      readOrRefuse(cut, KinetoTraces.RECOVER, i);
    }
  }

  @Test
  void gzipCutAtEveryByte() {
    byte[] whole = KinetoTraces.gzip(SMALL.getBytes(StandardCharsets.UTF_8));
    for (int i = 0; i <= whole.length; i++) {
      byte[] cut = Arrays.copyOf(whole, i);
      readOrRefuse(cut, KinetoTraces.STRICT, i);
      readOrRefuse(cut, KinetoTraces.RECOVER, i);
    }
  }

  @Test
  void cutFilesKeepAllWholeEventsBeforeTheCut() throws IOException {
    byte[] whole = small();
    String text = new String(whole, StandardCharsets.UTF_8);
    Path file = folder.resolve("t.json");
    int before = 0;
    for (int i = text.indexOf("\"traceEvents\"") + 20; i < whole.length; i += 97) {
      Timeline timeline = KinetoTraces.read(file, Arrays.copyOf(whole, i), KinetoTraces.RECOVER);
      int rows = timeline.calls().size() + timeline.ops().size() + timeline.ranges().size();
      assertThat(rows).isGreaterThanOrEqualTo(before);
      before = rows;
    }
    assertThat(before).isEqualTo(28);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void changedAtRandom(long seed) {
    byte[] whole = small();
    Random random = new Random(seed);
    byte[] marks =
        "{}[]\",:\\0159-.eE \nnulltrue\u0000\u007F\u00FF".getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < MUTATIONS; i++) {
      byte[] changed = whole.clone();
      int changes = 1 + random.nextInt(4);
      for (int c = 0; c < changes; c++) {
        int at = random.nextInt(changed.length);
        switch (random.nextInt(4)) {
          case 0 -> changed[at] = marks[random.nextInt(marks.length)];
          case 1 -> changed[at] ^= (byte) (1 << random.nextInt(8));
          case 2 -> changed = without(changed, at, 1 + random.nextInt(40));
          default -> changed = doubled(changed, at, 1 + random.nextInt(200));
        }
      }
      readOrRefuse(changed, KinetoTraces.STRICT, "seed " + seed + ", " + i);
      readOrRefuse(changed, KinetoTraces.RECOVER, "seed " + seed + ", " + i);
    }
  }

  private static byte[] without(byte[] bytes, int at, int length) {
    int end = Math.min(bytes.length, at + length);
    byte[] result = Arrays.copyOf(bytes, bytes.length - (end - at));
    System.arraycopy(bytes, end, result, at, bytes.length - end);
    return result.length == 0 ? bytes : result;
  }

  private static byte[] doubled(byte[] bytes, int at, int length) {
    int end = Math.min(bytes.length, at + length);
    byte[] result = Arrays.copyOf(bytes, bytes.length + end - at);
    System.arraycopy(bytes, at, result, end, bytes.length - at);
    return result;
  }
}
