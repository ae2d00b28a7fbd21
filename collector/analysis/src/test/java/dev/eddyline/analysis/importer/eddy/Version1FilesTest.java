package dev.eddyline.analysis.importer.eddy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.analysis.export.EddyExport;
import dev.eddyline.trace.ClockTriple;
import dev.eddyline.trace.Definition;
import dev.eddyline.trace.EddyWriter;
import dev.eddyline.trace.FileSink;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.TraceHeader;
import dev.eddyline.trace.WriterOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Version1FilesTest {
  private static final Path FOLDER = Path.of("src/test/resources/eddy/v1");
  private static final boolean UPDATE = Boolean.getBoolean("golden.update");
  private static final long EPOCH = 1_796_055_245_000_000_000L;

  @ParameterizedTest
  @ValueSource(strings = {"recorded", "raw", "exported"})
  void staysReadableForEver(String name) throws IOException {
    Path file = FOLDER.resolve(name + ".eddy");
    Path golden = FOLDER.resolve(name + ".txt");
    if (UPDATE && Files.notExists(file)) {
      make(name, file);
    }
    List<String> lines = TimelineText.of(EddyFiles.read(file));
    if (UPDATE) {
      Files.write(golden, lines);
    }
    assertThat(lines).isEqualTo(Files.readAllLines(golden));
  }

  private static void make(String name, Path file) throws IOException {
    Files.createDirectories(FOLDER);
    switch (name) {
      case "exported" -> EddyExport.write(SampleTimelines.random(1, 20), file, false, false);
      case "raw" -> {
        System.setProperty("dev.eddyline.zstd", "off");
        record(file);
        System.clearProperty("dev.eddyline.zstd");
      }
      default -> record(file);
    }
  }

  private static void record(Path file) throws IOException {
    TraceHeader header =
        new TraceHeader(
            "eddyline 0.1.0",
            42,
            "gpu-node-1",
            new ClockTriple(500, 1000, EPOCH + 1000),
            Map.of("CUDA", "13.0"),
            List.of("kernels", "events"),
            List.of("device-side event timestamps"));
    try (EddyWriter writer =
        new EddyWriter(FileSink.create(file), header, WriterOptions.defaults())) {
      writer.define(new Definition.ProcessEntry(0, 42, -1, -1, "gpu-node-1"));
      writer.define(new Definition.ThreadEntry(0, 733, ""));
      writer.define(new Definition.DeviceEntry(0, 0, "NVIDIA H200", 132));
      writer.define(
          new Definition.StreamEntry(0, 0, 1, 7, 0, Definition.StreamEntry.FLAGS_NON_BLOCKING, ""));
      step(writer, 1000);
      writer.mark(new ClockTriple(9500, 10_000, EPOCH + 10_003), 10_000);
      writer.redefine(0, new Definition.ThreadEntry(0, 733, "main"));
      writer.redefine(0, new Definition.ProcessEntry(0, 42, 0, 2, "gpu-node-1"));
      step(writer, 11_000);
      writer.dropped("kernels", 3);
      writer.mark(new ClockTriple(19_500, 20_000, EPOCH + 20_003), 20_000);
    }
  }

  private static void step(EddyWriter writer, long start) {
    int launch = writer.string("cudaLaunchKernel");
    int record = writer.string("cudaEventRecord");
    int sync = writer.string("cudaEventSynchronize");
    int kernel = writer.string("void scale<float>(float*, int)");
    long none = RecordType.NONE;
    long[] op = {start + 700, 5000, 0, kernel, 0, start, none, none, none, none, none, 64, 256};
    writer.append(RecordType.CALL, new long[] {start, 400, 0, launch, start, 0});
    writer.append(RecordType.CALL, new long[] {start + 500, 90, 0, record, start + 1, 0});
    writer.append(RecordType.CALL, new long[] {start + 600, 5200, 0, sync, start + 2, 0});
    writer.append(RecordType.OP, op);
    writer.append(RecordType.RECORD, new long[] {0, start + 1, 0, 5, start, none});
    writer.append(
        RecordType.SYNC,
        new long[] {0, start + 2, 1, none, 5, start, start + 1, start + 600, 5200});
  }
}
