package dev.eddyline.analysis.importer.eddy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import com.fasterxml.jackson.dataformat.cbor.CBORParser;
import com.github.luben.zstd.Zstd;
import dev.eddyline.trace.ClockTriple;
import dev.eddyline.trace.ColumnCodec;
import dev.eddyline.trace.Definition;
import dev.eddyline.trace.EddyWriter;
import dev.eddyline.trace.FrameHeader;
import dev.eddyline.trace.FrameKind;
import dev.eddyline.trace.FrameSink;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.TraceHeader;
import dev.eddyline.trace.WriterOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WriterAgainstParserTest {
  private static final CBORFactory FACTORY = new CBORFactory();

  private static final class Expanding implements FrameSink {
    private final Map<FrameKind, List<byte[]>> contents = new EnumMap<>(FrameKind.class);

    @Override
    public void write(FrameHeader header, byte[] bytes, int length) {
      byte[] frame = Arrays.copyOfRange(bytes, FrameHeader.BYTES, length);
      byte[] content = new byte[header.expanded()];
      Zstd.decompressByteArray(content, 0, content.length, frame, 0, frame.length);
      contents.computeIfAbsent(header.kind(), kind -> new ArrayList<>()).add(content);
    }

    @Override
    public void close() {}
  }

  private static long extreme(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> Long.MIN_VALUE;
      case 1 -> Long.MAX_VALUE;
      case 2 -> RecordType.NONE;
      case 3 -> 0;
      case 4 -> random.nextInt(300);
      case 5 -> 1L << random.nextInt(63);
      case 6 -> -(1L << random.nextInt(63));
      default -> random.nextLong();
    };
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void jacksonReadsTheRowsThatWereAppended(long seed) throws IOException {
    Random random = new Random(seed);
    Expanding sink = new Expanding();
    Map<RecordType, List<long[]>> rows = new EnumMap<>(RecordType.class);
    try (EddyWriter writer =
        new EddyWriter(
            sink, TraceHeader.imported("test"), WriterOptions.defaults().withBlockRows(50))) {
      for (int i = 0; i < 2000; i++) {
        RecordType type = RecordType.values()[random.nextInt(RecordType.values().length)];
        long[] row = new long[type.width()];
        for (int column = 0; column < row.length; column++) {
          row[column] = seed % 3 == 0 ? random.nextInt(3) : extreme(random);
        }
        rows.computeIfAbsent(type, missing -> new ArrayList<>()).add(row.clone());
        writer.append(type, row);
      }
    }

    Map<RecordType, List<long[]>> read = new EnumMap<>(RecordType.class);
    for (byte[] content : sink.contents.get(FrameKind.DATA)) {
      readRows(content, read);
    }
    for (RecordType type : RecordType.values()) {
      assertThat(read.get(type).toArray(new long[0][]))
          .as("%s, seed %d", type, seed)
          .isDeepEqualTo(rows.get(type).toArray(new long[0][]));
    }
  }

  private static void readRows(byte[] content, Map<RecordType, List<long[]>> target)
      throws IOException {
    try (CBORParser parser = FACTORY.createParser(content)) {
      while (parser.nextToken() == JsonToken.START_ARRAY) {
        RecordType type = RecordType.ofCode(parser.nextLongValue(-1));
        int rows = parser.nextIntValue(-1);
        long[][] read = new long[rows][type.width()];
        assertThat(parser.nextToken()).isEqualTo(JsonToken.START_ARRAY);
        for (int column = 0; column < type.width(); column++) {
          long[] values = column(parser, rows);
          for (int row = 0; row < rows; row++) {
            read[row][column] = values[row];
          }
        }
        assertThat(parser.nextToken()).isEqualTo(JsonToken.END_ARRAY);
        assertThat(parser.nextToken()).isEqualTo(JsonToken.END_ARRAY);
        target.computeIfAbsent(type, missing -> new ArrayList<>()).addAll(List.of(read));
      }
    }
  }

  private static long[] column(CBORParser parser, int rows) throws IOException {
    assertThat(parser.nextToken()).isEqualTo(JsonToken.START_ARRAY);
    int encoding = parser.nextIntValue(-1);
    assertThat(parser.nextToken()).isEqualTo(JsonToken.VALUE_NUMBER_INT);
    long base = parser.getLongValue();
    long[] values = new long[rows];
    Arrays.fill(values, base);
    if (parser.nextToken() == JsonToken.VALUE_EMBEDDED_OBJECT) {
      int width = ColumnCodec.widthOf(parser.getCurrentTag());
      byte[] numbers = parser.getBinaryValue();
      assertThat(numbers).hasSize(rows * width);
      ColumnCodec.decode(encoding, base, numbers, width, values, rows);
      parser.nextToken();
    }
    assertThat(parser.currentToken()).isEqualTo(JsonToken.END_ARRAY);
    return values;
  }

  @Test
  void jacksonReadsEveryDefinitionAndMark() throws IOException {
    Expanding sink = new Expanding();
    TraceHeader header =
        new TraceHeader(
            "test",
            42,
            "größer",
            new ClockTriple(-1, 5, Long.MIN_VALUE),
            Map.of("CUDA", "13.0"),
            List.of("kernels", "copies"),
            List.of());
    EddyWriter writer = new EddyWriter(sink, header, WriterOptions.defaults());
    writer.string("𝕏 \ud800 ≥");
    writer.define(new Definition.SourceEntry("file", "Kineto", Map.of("a", "b")));
    writer.define(new Definition.StreamEntry(0, -1, Long.MAX_VALUE, 7, 0, 3, ""));
    writer.dropped("kernels", 7);
    writer.mark(new ClockTriple(1, 2, 3), RecordType.NONE);
    writer.close();

    assertThat(text(sink.contents.get(FrameKind.HEADER).get(0)))
        .isEqualTo(
            "{format eddyline-trace version 1 needs 0.1.0 writer test compression zstd axis"
                + " monotonic clock [-1 5 -9223372036854775808 ] pid 42 host größer properties"
                + " {CUDA 13.0 } recorded {enabled [kernels copies ] perturbing [] } }");
    assertThat(text(sink.contents.get(FrameKind.DICTIONARY).get(0)))
        .isEqualTo(
            "[2 0 [[file Kineto {a b } ] ] ]"
                + " [6 0 [[0 -1 9223372036854775807 7 0 3  ] ] ]"
                + " [1 1 [𝕏 ? ≥ ] ]");
    assertThat(text(sink.contents.get(FrameKind.MARKS).get(0)))
        .isEqualTo("{clock [1 2 3 ] complete -1 records 0 dropped {kernels 7 } }");
    assertThat(text(sink.contents.get(FrameKind.END).get(0)))
        .isEqualTo("{complete -1 records 0 dropped {kernels 7 } }");
  }

  private static String text(byte[] content) throws IOException {
    StringBuilder text = new StringBuilder();
    try (CBORParser parser = FACTORY.createParser(content)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        text.append(
            token == JsonToken.START_ARRAY || token == JsonToken.START_OBJECT
                ? parser.getText()
                : parser.getText() + " ");
      }
    }
    return text.toString().trim();
  }
}
