package dev.eddyline.analysis.importer.eddy;

import static dev.eddyline.analysis.importer.eddy.FrameForge.cbor;
import static dev.eddyline.analysis.importer.eddy.FrameForge.definitions;
import static dev.eddyline.analysis.importer.eddy.FrameForge.end;
import static dev.eddyline.analysis.importer.eddy.FrameForge.frame;
import static dev.eddyline.analysis.importer.eddy.FrameForge.header;
import static dev.eddyline.analysis.importer.eddy.FrameForge.join;
import static dev.eddyline.analysis.importer.eddy.FrameForge.losses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.TraceReadException;
import dev.eddyline.analysis.importer.TraceReadLimits;
import dev.eddyline.analysis.timeline.SkippedRange;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.TimelineBuilder;
import dev.eddyline.trace.ColumnCodec;
import dev.eddyline.trace.FrameHeader;
import dev.eddyline.trace.FrameKind;
import dev.eddyline.trace.RecordType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostileFileTest {
  private static final byte[] EMPTY = {};
  @TempDir private Path folder;

  private Timeline read(byte[]... parts) throws IOException {
    return EddyFiles.read(folder, join(parts));
  }

  private Timeline readWithOneMore(byte[] hostile) throws IOException {
    byte[] before = join(header(), definitions(), losses(1, 2));
    Timeline read = read(before, hostile, losses(3), end());
    assertThat(read.table(RecordType.LOSS).column(RecordType.Loss.TIME).toArray())
        .containsExactly(1, 2, 3);
    assertThat(read.skipped()).hasSize(1);
    assertThat(read.skipped().get(0).fromByte()).isEqualTo(before.length);
    assertThat(read.skipped().get(0).toByte()).isEqualTo(before.length + hostile.length);
    return read;
  }

  private static byte[] data(int records, FrameForge.Content content) throws IOException {
    return frame(FrameKind.DATA, records, cbor(content));
  }

  private static byte[] block(long type, long rows, int records, FrameForge.Content columns)
      throws IOException {
    return data(
        records,
        out -> {
          out.writeStartArray(null, 3);
          out.writeNumber(type);
          out.writeNumber(rows);
          out.writeStartArray();
          columns.write(out);
          out.writeEndArray();
          out.writeEndArray();
        });
  }

  @Test
  void theForgeMakesFilesThatCanBeRead() throws IOException {
    Timeline read = read(header(), definitions(), losses(1, 2), losses(3), end());
    assertThat(read.table(RecordType.LOSS).size()).isEqualTo(3);
    assertThat(read.skipped()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MAX_VALUE, -1, Integer.MIN_VALUE, 0, 1, 64 << 20, 1 << 28})
  void expandedLengthThatIsALie(int expanded) throws IOException {
    byte[] lie =
        frame(
            FrameKind.DATA,
            1,
            cbor(out -> losses(out, 9)),
            header -> header.putInt(FrameHeader.EXPANDED_OFFSET, expanded));
    readWithOneMore(lie);
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MAX_VALUE, -1, 0, 1, 1 << 20})
  void compressedLengthThatIsALie(int compressed) throws IOException {
    byte[] lie =
        frame(
            FrameKind.DATA,
            1,
            cbor(out -> losses(out, 9)),
            header -> header.putInt(FrameHeader.COMPRESSED_OFFSET, compressed));
    byte[] before = join(header(), definitions(), losses(1, 2));
    Timeline read = read(before, lie, losses(3), end());
    assertThat(read.table(RecordType.LOSS).size()).isEqualTo(3);
    assertThat(read.skipped()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 1 << 16, 1 << 18, 1 << 19, Integer.MAX_VALUE, -1})
  void recordCountThatIsALie(int records) throws IOException {
    if (records > 1 << 18) {
      byte[] lie = frame(FrameKind.DATA, records, cbor(out -> losses(out, 9)));
      readWithOneMore(lie);
    } else {
      readWithOneMore(data(records, out -> losses(out, 9)));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 2, 65537, 1L << 31, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE})
  void rowCountThatIsALie(long rows) throws IOException {
    readWithOneMore(
        block(
            RecordType.LOSS.code(),
            rows,
            1,
            out -> {
              for (int i = 0; i < 4; i++) {
                FrameForge.constant(out, 0);
              }
            }));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 5, 8, 4096})
  void typedArrayOfAnotherLength(int bytes) throws IOException {
    readWithOneMore(
        block(
            RecordType.LOSS.code(),
            2,
            2,
            out ->
                FrameForge.column(
                    out,
                    ColumnCodec.OFFSET,
                    0,
                    ColumnCodec.TAG_UINT16,
                    new byte[bytes == 4 ? 5 : bytes])));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 65, 66, 67, 68, 72, 81, 55799})
  void typedArrayOfAnotherType(int tag) throws IOException {
    readWithOneMore(
        block(
            RecordType.LOSS.code(),
            2,
            2,
            out -> FrameForge.column(out, ColumnCodec.OFFSET, 0, tag, new byte[2])));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 2, 255, Integer.MAX_VALUE})
  void unknownEncoding(int encoding) throws IOException {
    readWithOneMore(
        block(
            RecordType.LOSS.code(),
            2,
            2,
            out -> FrameForge.column(out, encoding, 0, ColumnCodec.TAG_UINT8, new byte[2])));
  }

  @Test
  void otherThingsThanBlocks() throws IOException {
    assertThat(readWithOneMore(data(1, out -> out.writeString("text"))).skipped().get(0).what())
        .isEqualTo("an array at byte 0 of a frame");
    readWithOneMore(data(1, out -> out.writeNumber(1)));
    readWithOneMore(data(1, out -> out.writeNull()));
    readWithOneMore(frame(FrameKind.DATA, 1, new byte[] {(byte) 0xFF, 0x1C}));
    readWithOneMore(frame(FrameKind.DATA, 1, new byte[] {(byte) 0x9B, 127, 1, 1, 1, 1, 1, 1, 1}));
    readWithOneMore(frame(FrameKind.DATA, 1, new byte[] {(byte) 0x83, 9}));
  }

  @Test
  void nestingWithoutEnd() throws IOException {
    byte[] nested = new byte[1 << 20];
    Arrays.fill(nested, (byte) 0x81);
    readWithOneMore(frame(FrameKind.DATA, 1, nested));
    readWithOneMore(frame(FrameKind.DICTIONARY, 1, nested));
    readWithOneMore(frame(FrameKind.MARKS, 1, nested));
  }

  @Test
  void lengthsInsideTheContentThatAreLies() throws IOException {
    byte[] bytes = {
      (byte) 0x83,
      9,
      1,
      (byte) 0x84,
      (byte) 0x83,
      0,
      0,
      (byte) 0xD8,
      64,
      0x5B,
      127,
      -1,
      -1,
      -1,
      -1,
      -1,
      -1,
      -1,
      0
    };
    readWithOneMore(frame(FrameKind.DATA, 1, bytes));
    byte[] text = {(byte) 0x83, 1, 1, (byte) 0x81, 0x7A, 127, -1, -1, -1, 'x'};
    readWithOneMore(frame(FrameKind.DICTIONARY, 1, text));
  }

  @Test
  void framesThatExpandToMoreThanTheyMay() throws IOException {
    TraceReadLimits small = new TraceReadLimits(1000, 100, 64, 64, 100, 10, 10, 1000, 100);
    Path file = folder.resolve("big.eddy");
    byte[] big = frame(FrameKind.DATA, 1, new byte[1001]);
    Files.write(file, join(header(), big, end()));
    TimelineBuilder builder = new TimelineBuilder();
    new EddyReader(1000, 1).read(file, builder, new ReadOptions(false, small, bytes -> {}));
    assertThat(builder.build().skipped())
        .containsExactly(
            new SkippedRange(
                0,
                header().length,
                header().length + big.length,
                "a frame that expands to at most 1000 bytes"));
  }

  @Test
  void moreStringsThanThereMayBe() throws IOException {
    byte[] strings =
        frame(
            FrameKind.DICTIONARY,
            1,
            cbor(
                out -> {
                  FrameForge.item(out, 1, 4_000_000, 1);
                  out.writeString("one too many");
                  FrameForge.endItem(out);
                }));
    assertThatThrownBy(() -> read(header(), strings, end()))
        .isInstanceOf(TraceReadException.class)
        .hasMessageEndingWith(": more than 4000000 strings");
  }

  @Test
  void moreRecordsThanTheHeapHolds() throws IOException {
    Path file = folder.resolve("many.eddy");
    Files.write(file, join(header(), definitions(), losses(1, 2, 3), end()));
    assertThatThrownBy(
            () -> new EddyReader(2, 1).read(file, new TimelineBuilder(), ReadOptions.defaults()))
        .isInstanceOf(TraceReadException.class)
        .hasMessageContaining("3 records, but this heap holds 2");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE})
  void idsThatAreNone(int id) throws IOException {
    byte[] threads =
        frame(
            FrameKind.DICTIONARY,
            1,
            cbor(
                out -> {
                  FrameForge.item(out, 4, id, 1);
                  out.writeStartArray(null, 3);
                  out.writeNumber(0);
                  out.writeNumber(1);
                  out.writeString("");
                  out.writeEndArray();
                  FrameForge.endItem(out);
                }));
    if (id < 0) {
      readWithOneMore(threads);
    } else {
      assertThatThrownBy(() -> read(header(), threads, end()))
          .isInstanceOf(TraceReadException.class);
    }
  }

  @Test
  void definitionsOfThingsThatAreNotThere() throws IOException {
    byte[] threads =
        frame(
            FrameKind.DICTIONARY,
            2,
            cbor(
                out -> {
                  for (int process : new int[] {7, -1, 0}) {
                    FrameForge.item(out, 4, 10 + process, 1);
                    out.writeStartArray(null, 3);
                    out.writeNumber(process);
                    out.writeNumber(1000);
                    out.writeString("");
                    out.writeEndArray();
                    FrameForge.endItem(out);
                  }
                }));
    Timeline read = read(header(), definitions(), threads, end());
    assertThat(read.threads()).hasSize(2);
  }

  @Test
  void rowsOfThingsThatAreNotThereAreLeftOut() throws IOException {
    byte[] rows =
        block(
            RecordType.LOSS.code(),
            4,
            4,
            out -> {
              FrameForge.column(
                  out, ColumnCodec.DELTA, 10, ColumnCodec.TAG_UINT8, new byte[] {0, 2, 2, 2});
              FrameForge.column(
                  out, ColumnCodec.OFFSET, -1, ColumnCodec.TAG_UINT8, new byte[] {1, 0, 77, 1});
              FrameForge.column(
                  out, ColumnCodec.OFFSET, 1, ColumnCodec.TAG_UINT8, new byte[] {0, 0, 0, 99});
              FrameForge.constant(out, 5);
            });
    Timeline read = read(header(), definitions(), rows, end());
    assertThat(read.table(RecordType.LOSS).column(RecordType.Loss.TIME).toArray())
        .containsExactly(10, 13);
    assertThat(read.strings().get(read.table(RecordType.LOSS).get(1, RecordType.Loss.KIND)))
        .isEqualTo("(lost)");
    assertThat(read.skipped())
        .extracting(SkippedRange::what)
        .containsExactly(
            "the processes, threads and streams of 2 records", "the strings of 1 values");
  }

  @Test
  void aNewerVersionIsRefusedWithTheReleaseThatReadsIt() throws IOException {
    byte[] newer =
        frame(
            FrameKind.HEADER,
            1,
            cbor(
                out -> {
                  out.writeStartObject();
                  out.writeStringField("needs", "3.14");
                  out.writeEndObject();
                }),
            header -> header.putShort(FrameHeader.VERSION_OFFSET, (short) 2));
    assertThatThrownBy(() -> read(newer, end()))
        .isInstanceOf(TraceReadException.class)
        .hasMessageEndingWith("bytes.eddy: needs Eddyline ≥ 3.14 (its format version is 2)");
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        FrameHeader.RECORDS_OFFSET,
        FrameHeader.COMPRESSED_OFFSET,
        FrameHeader.EXPANDED_OFFSET
      })
  void aNewerVersionIsRefusedEvenIfItsHeaderCannotBeRead(int lie) throws IOException {
    byte[] newer =
        frame(
            FrameKind.HEADER,
            1,
            new byte[] {(byte) 0xBF, 0x7F, (byte) 0xFF},
            header -> {
              header.putShort(FrameHeader.VERSION_OFFSET, (short) 2);
              header.putInt(lie, Integer.MAX_VALUE);
            });
    assertThatThrownBy(() -> read(newer, end()))
        .isInstanceOf(TraceReadException.class)
        .hasMessageEndingWith("bytes.eddy: needs a newer Eddyline (its format version is 2)");
  }

  @Test
  void whatIsNotOursIsRefused() {
    assertThatThrownBy(
            () -> read("{\"traceEvents\":[]}".getBytes(java.nio.charset.StandardCharsets.UTF_8)))
        .isInstanceOf(TraceReadException.class)
        .hasMessageContaining("not an .eddy file");
  }

  @Test
  void aFileInGzipIsRefusedWithWhatToDo() {
    assertThatThrownBy(() -> read(new byte[] {0x1F, (byte) 0x8B, 8, 0}))
        .isInstanceOf(TraceReadException.class)
        .hasMessageEndingWith(": compressed with gzip; expand it first");
  }

  @Test
  void aSecondTraceBehindTheFirstIsLeftOut() throws IOException {
    byte[] first = join(header(), definitions(), losses(1), end());
    Timeline read = read(first, first);
    assertThat(read.table(RecordType.LOSS).size()).isEqualTo(1);
    assertThat(read.skipped())
        .containsExactly(
            new SkippedRange(
                0,
                first.length,
                2L * first.length,
                "one trace per file, but here another one begins"));
  }

  @Test
  void bytesBehindTheEndAreNoted() throws IOException {
    byte[] file = join(header(), end());
    assertThat(read(file, new byte[100]).skipped())
        .containsExactly(
            new SkippedRange(0, file.length, file.length + 100, "the end of the file"));
  }

  @Test
  void whatANewerReleaseAppendsIsPassedOver() throws IOException {
    byte[] rows =
        block(
            RecordType.LOSS.code(),
            1,
            1,
            out -> {
              FrameForge.constant(out, 10);
              FrameForge.constant(out, 0);
              FrameForge.constant(out, 1);
              FrameForge.constant(out, 5);
              FrameForge.column(out, 7, 0, ColumnCodec.TAG_UINT16, new byte[] {1, 0, 77, 1});
            });
    byte[] dictionary =
        frame(
            FrameKind.DICTIONARY,
            1,
            cbor(
                out -> {
                  FrameForge.item(out, 99, 0, 1);
                  out.writeStartObject();
                  out.writeEndObject();
                  FrameForge.endItem(out);
                }));
    Timeline read = read(header(), definitions(), dictionary, rows, end());
    assertThat(read.table(RecordType.LOSS).size()).isEqualTo(1);
    assertThat(read.skipped()).isEmpty();
  }

  @Test
  void columnsThatAnOlderReleaseDidNotHaveAreUnknown() throws IOException {
    byte[] rows =
        block(
            RecordType.LOSS.code(),
            1,
            1,
            out -> {
              FrameForge.constant(out, 10);
              FrameForge.constant(out, 0);
              FrameForge.constant(out, 1);
            });
    Timeline read = read(header(), definitions(), rows, end());
    assertThat(read.table(RecordType.LOSS).get(0, RecordType.Loss.COUNT))
        .isEqualTo(RecordType.NONE);
  }

  @Test
  void recordsOfUnknownTypesAreNoted() throws IOException {
    byte[] rows = block(200, 3, 3, out -> FrameForge.constant(out, 1));
    Timeline read = read(header(), rows, end());
    assertThat(read.skipped())
        .extracting(SkippedRange::what)
        .containsExactly("records of known types; a newer Eddyline reads these");
  }

  @Test
  void aHundredGapsAreListedAndTheRestCounted() throws IOException {
    List<byte[]> parts = new ArrayList<>(List.of(header(), definitions()));
    for (int i = 0; i < 150; i++) {
      parts.add(frame(FrameKind.DATA, 1, EMPTY));
      parts.add(losses(i));
    }
    parts.add(end());
    Timeline read = read(parts.toArray(new byte[0][]));
    assertThat(read.table(RecordType.LOSS).size()).isEqualTo(150);
    assertThat(read.skipped()).hasSize(101);
    assertThat(read.skipped().get(100).what()).isEqualTo("50 more parts like these");
  }
}
