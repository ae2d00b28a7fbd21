package dev.eddyline.analysis.importer.eddy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.Traces;
import dev.eddyline.analysis.timeline.ProcessInfo;
import dev.eddyline.analysis.timeline.SourceInfo;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.Table;
import dev.eddyline.analysis.timeline.ThreadInfo;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.ClockTriple;
import dev.eddyline.trace.Definition;
import dev.eddyline.trace.EddyWriter;
import dev.eddyline.trace.FileSink;
import dev.eddyline.trace.FrameRing;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.TraceHeader;
import dev.eddyline.trace.WriterOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedFileTest {
  private static final long EPOCH = 1_796_055_245_000_000_000L;
  private static final TraceHeader HEADER =
      new TraceHeader(
          "eddyline 0.1.0",
          42,
          "gpu-node-1",
          new ClockTriple(0, 1000, EPOCH + 1000),
          Map.of("CUDA", "13.0"),
          List.of("kernels", "events"),
          List.of("device-side event timestamps"));
  @TempDir private Path folder;
  private Path file = Path.of("");

  @BeforeEach
  void name() {
    file = folder.resolve("run.eddy");
  }

  private EddyWriter writer(WriterOptions options) throws IOException {
    EddyWriter writer = new EddyWriter(FileSink.create(file), HEADER, options);
    define(writer);
    return writer;
  }

  private static void define(EddyWriter writer) {
    writer.define(new Definition.ProcessEntry(0, 42, -1, -1, "gpu-node-1"));
    writer.define(new Definition.ThreadEntry(0, 733, ""));
    writer.define(new Definition.StreamEntry(0, 0, 1, 7, 0, 2, ""));
  }

  private static void call(EddyWriter writer, long start, long correlation) {
    int name = writer.string("cudaLaunchKernel");
    writer.append(RecordType.CALL, new long[] {start, 10, 0, name, correlation, 0});
  }

  @Test
  void timesAreSinceTheEpochByTheMedianOfTheClocks() throws IOException {
    try (EddyWriter writer = writer(WriterOptions.defaults())) {
      call(writer, 1500, 1);
      writer.append(RecordType.RECORD, new long[] {0, 2, 0, 1, 1, RecordType.NONE});
      writer.append(RecordType.RECORD, new long[] {0, 3, 0, 1, 2, 1700});
      writer.mark(new ClockTriple(0, 2000, EPOCH + 2000 + 7), 2000);
      writer.mark(new ClockTriple(0, 3000, EPOCH + 3000 + 9_000_000_000L), 3000);
    }
    Timeline read = EddyFiles.read(file);
    assertThat(read.table(RecordType.CALL).get(0, RecordType.Call.START))
        .isEqualTo(EPOCH + 1500 + 7);
    assertThat(read.table(RecordType.RECORD).column(RecordType.EventRecord.DEVICE_TIME).toArray())
        .containsExactly(-1, EPOCH + 1700 + 7);
    assertThat(read.skipped()).isEmpty();
  }

  @Test
  void theHeaderTellsWhatWasRecorded() throws IOException {
    writer(WriterOptions.defaults()).close();
    assertThat(EddyFiles.read(file).sources())
        .containsExactly(
            new SourceInfo(
                file.toString(),
                "Eddyline",
                Map.of(
                    "CUDA",
                    "13.0",
                    "enabled",
                    "kernels, events",
                    "perturbing",
                    "device-side event timestamps")));
  }

  @Test
  void laterDefinitionsReplaceEarlierOnes() throws IOException {
    try (EddyWriter writer = writer(WriterOptions.defaults())) {
      call(writer, 1500, 1);
      writer.flush();
      writer.redefine(0, new Definition.ProcessEntry(0, 42, 3, 8, "gpu-node-1"));
      writer.redefine(0, new Definition.ThreadEntry(0, 733, "main"));
      writer.redefine(0, new Definition.StreamEntry(0, 0, 1, 7, 0, 2, "fragment-1"));
    }
    Timeline read = EddyFiles.read(file);
    assertThat(read.process(0)).isEqualTo(new ProcessInfo(0, 42, 3, 8, "gpu-node-1"));
    assertThat(read.thread(0)).isEqualTo(new ThreadInfo(0, 733, "main"));
    assertThat(read.stream(0))
        .isEqualTo(new StreamInfo(0, 0, 1, 7, 0, StreamInfo.Kind.NON_BLOCKING, "fragment-1"));
  }

  @Test
  void countersOfLossesBecomeLosses() throws IOException {
    try (EddyWriter writer = writer(WriterOptions.defaults())) {
      call(writer, 1500, 1);
      writer.dropped("kernels", 5);
      writer.mark(new ClockTriple(0, 2000, EPOCH + 2000), 2000);
      writer.mark(new ClockTriple(0, 3000, EPOCH + 3000), 3000);
      writer.dropped("kernels", 2);
      writer.dropped("calls", 1);
    }
    Timeline read = EddyFiles.read(file);
    Table losses = read.table(RecordType.LOSS);
    assertThat(losses.column(RecordType.Loss.COUNT).toArray()).containsExactly(5, 2, 1);
    assertThat(losses.column(RecordType.Loss.TIME).toArray())
        .containsExactly(EPOCH + 2000, EPOCH + 1510, EPOCH + 1510);
    assertThat(read.strings().get(losses.get(2, RecordType.Loss.KIND))).isEqualTo("calls");
  }

  @Test
  void aFileOfRawBlocksIsReadAndSaysSo() throws IOException {
    System.setProperty("dev.eddyline.zstd", "off");
    try (EddyWriter writer = writer(WriterOptions.defaults())) {
      assertThat(writer.isRaw()).isTrue();
      call(writer, 1500, 1);
    } finally {
      System.clearProperty("dev.eddyline.zstd");
    }
    Timeline read = EddyFiles.read(file);
    assertThat(read.table(RecordType.CALL).size()).isEqualTo(1);
    assertThat(read.sources().get(0).properties())
        .containsEntry("compression", "none: zstd-jni could not be loaded");
  }

  @Test
  void aSnapshotOfARingIsAFile() throws IOException {
    FrameRing ring = new FrameRing(Long.MAX_VALUE, 2000);
    EddyWriter writer = new EddyWriter(ring, HEADER, WriterOptions.defaults().withBlockRows(10));
    define(writer);
    for (int i = 0; i < 1000; i++) {
      call(writer, i * 100L, i);
    }
    try (FileSink sink = FileSink.create(file)) {
      writer.snapshot(sink);
    }
    Timeline read = EddyFiles.read(file);
    assertThat(read.skipped()).isEmpty();
    Table calls = read.table(RecordType.CALL);
    assertThat(calls.size()).isBetween(50, 300);
    assertThat(calls.get(calls.size() - 1, RecordType.Call.CORRELATION)).isEqualTo(999);
  }

  @Test
  void rowsOfSeveralThreadsAreAllThereEachInItsOrder() throws Exception {
    EddyWriter writer = writer(WriterOptions.defaults().withBlockRows(64));
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      int base = t * 10_000;
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < 2000; i++) {
                  call(writer, 5, base + i);
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    writer.close();

    long[] correlations =
        EddyFiles.read(file).table(RecordType.CALL).column(RecordType.Call.CORRELATION).toArray();
    assertThat(correlations).hasSize(8000);
    for (int t = 0; t < 4; t++) {
      int base = t * 10_000;
      assertThat(Arrays.stream(correlations).filter(c -> c / 10_000 * 10_000 == base).toArray())
          .isSorted()
          .hasSize(2000);
    }
  }

  @Test
  void isFoundByItsFirstBytes() throws IOException {
    try (EddyWriter writer = writer(WriterOptions.defaults())) {
      call(writer, 1500, 1);
    }
    Timeline read = Traces.open(List.of(file), ReadOptions.defaults());
    assertThat(read.table(RecordType.CALL).size()).isEqualTo(1);
  }

  @Test
  void twoFilesMakeOneTimeline() throws IOException {
    for (String name : List.of("rank0.eddy", "rank1.eddy")) {
      file = folder.resolve(name);
      try (EddyWriter writer = writer(WriterOptions.defaults())) {
        writer.string("only in " + name);
        call(writer, name.equals("rank0.eddy") ? 1600 : 1500, 1);
      }
    }
    Timeline read = Traces.open(Traces.resolve(List.of(folder.toString())), ReadOptions.defaults());
    assertThat(read.processes()).hasSize(2);
    assertThat(read.calls().at(0).process()).isEqualTo(1);
    assertThat(read.calls().at(1).process()).isZero();
    assertThat(read.calls().at(0).name()).isEqualTo("cudaLaunchKernel");
  }

  @Test
  void readingCanBeStopped() throws IOException {
    try (EddyWriter writer = writer(WriterOptions.defaults().withBlockRows(1))) {
      for (int i = 0; i < 20_000; i++) {
        call(writer, i, i);
      }
    }
    ReadOptions stopping =
        new ReadOptions(
            false,
            ReadOptions.defaults().limits(),
            bytes -> {
              throw new CancellationException();
            });
    Assertions.assertThatThrownBy(() -> Traces.open(List.of(file), stopping))
        .isInstanceOf(CancellationException.class);
  }
}
