package dev.eddyline.recorder.decode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.eddy.EddyReader;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.TimelineBuilder;
import dev.eddyline.recorder.rows.ClockMap;
import dev.eddyline.recorder.rows.NameSource;
import dev.eddyline.recorder.rows.Names;
import dev.eddyline.recorder.rows.StreamTable;
import dev.eddyline.recorder.rows.ThreadTable;
import dev.eddyline.recorder.rows.TraceRows;
import dev.eddyline.trace.ClockTriple;
import dev.eddyline.trace.Definition.ProcessEntry;
import dev.eddyline.trace.EddyWriter;
import dev.eddyline.trace.FileSink;
import dev.eddyline.trace.RecordType.Op;
import dev.eddyline.trace.TraceHeader;
import dev.eddyline.trace.WriterOptions;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RawBufferTest {
  @TempDir private Path folder;
  private final Map<Integer, String> names = new HashMap<>();
  private final List<String> heard = new ArrayList<>();
  private Timeline timeline;

  private record Raw(ByteBuffer bytes, int[] offsets) {}

  private final class Heard implements RecordDecoder.Listener {
    @Override
    public void external(long externalId, int correlation) {
      heard.add("external " + externalId);
    }

    @Override
    public void called(int correlation, long start) {
      heard.add("call");
    }

    @Override
    public void kernel(int correlation, int stream, int name, int shimName) {
      heard.add("kernel");
    }

    @Override
    public void event(int correlation, int event) {
      heard.add("event");
    }

    @Override
    public void copy(int correlation, int stream, long bytes, long from, long to) {
      heard.add("copy " + bytes);
    }

    @Override
    public void fill(int correlation, int stream, long bytes, long memory) {
      heard.add("fill " + bytes);
    }
  }

  private final class RecordedNames implements NameSource {
    @Override
    public String call(int domain, int id) {
      return domain + "/" + id;
    }

    @Override
    public String text(int id) {
      return names.getOrDefault(id, "");
    }
  }

  @BeforeEach
  void decode() throws IOException {
    List<Raw> buffers = new ArrayList<>();
    int version;
    try (InputStream raw =
            Objects.requireNonNull(RawBufferTest.class.getResourceAsStream("raw-13.0.bin.gz"));
        DataInputStream in = new DataInputStream(new GZIPInputStream(raw))) {
      version = in.readInt();
      for (int length = in.readInt(); length >= 0; length = in.readInt()) {
        int[] offsets = new int[in.readInt()];
        for (int i = 0; i < offsets.length; i++) {
          offsets[i] = in.readInt();
        }
        buffers.add(
            new Raw(
                ByteBuffer.wrap(in.readNBytes(length)).order(ByteOrder.LITTLE_ENDIAN), offsets));
      }
      for (int id = in.readInt(); id >= 0; id = in.readInt()) {
        names.put(id, new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8));
      }
    }
    Path file = folder.resolve("run.eddy");
    TraceHeader header =
        new TraceHeader("test", 1, "", ClockTriple.now(), Map.of(), List.of(), List.of());
    try (EddyWriter writer =
        new EddyWriter(FileSink.create(file), header, WriterOptions.defaults())) {
      TraceRows rows = new TraceRows(writer, new ProcessEntry(0, 1, -1, -1, ""));
      Captures captures = new Captures(rows);
      RecordDecoder decoder =
          new RecordDecoder(
              Layout.of(version),
              rows,
              new ThreadTable(rows),
              new StreamTable(rows),
              new Names(writer, new RecordedNames()),
              new ClockMap(),
              captures,
              new OwnCalls(),
              new MemoryBlocks(),
              new Heard(),
              false);
      for (Raw buffer : buffers) {
        decoder.decode(
            buffer.bytes(), 0, IntBuffer.wrap(buffer.offsets()), 0, buffer.offsets().length);
      }
      captures.release();
      rows.flush();
      assertThat(decoder.unknownKinds()).isZero();
    }
    TimelineBuilder builder = new TimelineBuilder();
    new EddyReader().read(file, builder, ReadOptions.defaults());
    timeline = builder.build();
  }

  private static Stream<String> each(int size, IntFunction<String> words) {
    return IntStream.range(0, size).mapToObj(words);
  }

  @Test
  void ops_have_their_names_streams_and_sizes() {
    assertThat(
            each(
                timeline.ops().size(),
                i -> {
                  var op = timeline.ops().at(i);
                  return op.name() + " on " + timeline.stream(op.stream()).id() + " " + op.bytes();
                }))
        .containsExactlyInAnyOrder(
            "spin on 13 -1",
            "empty on 14 -1",
            "Memcpy HtoD (Pageable -> Device) on 13 4096",
            "Memset (Device) on 13 8192");
    var spin = timeline.ops().at(0);
    assertThat(spin.duration()).isBetween(1_000_000L, 1_200_000L);
    assertThat(spin.blocks()).isEqualTo(1);
    assertThat(spin.kind()).isEqualTo(Op.KIND_KERNEL);
  }

  @Test
  void the_wait_is_joined_with_its_record_and_the_other_one_is_empty() {
    StreamGraph graph = StreamGraph.of(timeline);
    assertThat(timeline.records().size()).isEqualTo(1);
    assertThat(timeline.waits().size()).isEqualTo(2);
    assertThat(graph.bindings().record(0)).isZero();
    assertThat(graph.bindings().isEmpty(1)).isTrue();
  }

  @Test
  void streams_have_their_flags_and_their_device_its_name() {
    assertThat(timeline.streams())
        .filteredOn(stream -> stream.id() == 13 || stream.id() == 7)
        .extracting(StreamInfo::kind)
        .containsExactlyInAnyOrder(StreamInfo.Kind.NON_BLOCKING, StreamInfo.Kind.LEGACY_DEFAULT);
    assertThat(timeline.devices().get(0).name()).isEqualTo("NVIDIA H200");
    assertThat(timeline.devices().get(0).multiprocessors()).isEqualTo(132);
  }

  @Test
  void host_syncs_allocations_and_external_ids_are_there() {
    assertThat(each(timeline.syncs().size(), i -> "kind " + timeline.syncs().at(i).kind()))
        .containsExactly("kind 3", "kind 1", "kind 4");
    assertThat(
            each(
                timeline.allocations().size(),
                i ->
                    timeline.allocations().at(i).kind()
                        + " "
                        + timeline.allocations().at(i).bytes()))
        .contains("0 1048576", "1 1048576");
    assertThat(heard)
        .contains("external 42", "copy 4096", "fill 8192", "event")
        .filteredOn("kernel"::equals)
        .hasSize(2);
  }
}
