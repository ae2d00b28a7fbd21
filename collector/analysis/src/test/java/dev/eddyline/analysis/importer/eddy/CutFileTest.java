package dev.eddyline.analysis.importer.eddy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eddyline.analysis.export.EddyExport;
import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.TraceReadException;
import dev.eddyline.analysis.timeline.SkippedRange;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.TimelineBuilder;
import dev.eddyline.trace.FrameHeader;
import dev.eddyline.trace.FrameKind;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.WriterOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CutFileTest {
  @TempDir private Path folder;
  private byte[] whole = new byte[0];
  private final List<Frame> frames = new ArrayList<>();

  @BeforeEach
  void write() throws IOException {
    whole = written(2, WriterOptions.defaults().withBlockRows(2));
    for (int at = 0; at < whole.length; ) {
      Frame frame = new Frame(at, FrameHeader.decode(ByteBuffer.wrap(whole), at));
      frames.add(frame);
      at = (int) frame.end();
    }
    assertThat(frames).hasSizeGreaterThan(10);
  }

  private static byte[] written(int rows, WriterOptions options) throws IOException {
    EddyFiles.MemorySink sink = new EddyFiles.MemorySink();
    EddyExport.write(SampleTimelines.random(3, rows), sink, false, options);
    return sink.bytes();
  }

  private TimelineBuilder read(byte[] bytes) throws IOException {
    Path file = folder.resolve("file.eddy");
    Files.write(file, bytes);
    TimelineBuilder builder = new TimelineBuilder();
    new EddyReader(1_000_000, 1).read(file, builder, ReadOptions.defaults());
    return builder;
  }

  private static int rows(TimelineBuilder builder) {
    int rows = 0;
    for (RecordType type : RecordType.values()) {
      rows += builder.size(type);
    }
    return rows;
  }

  private int rowsBefore(int length) {
    return frames.stream()
        .filter(frame -> frame.header().kind() == FrameKind.DATA && frame.end() <= length)
        .mapToInt(frame -> frame.header().records())
        .sum();
  }

  @Test
  void opensWithAllCompleteFramesWhereverItIsCut() throws IOException {
    for (int length = 1; length < whole.length; length++) {
      TimelineBuilder builder = read(Arrays.copyOf(whole, length));

      assertThat(rows(builder)).as("cut at %d", length).isEqualTo(rowsBefore(length));
      List<SkippedRange> skipped = builder.build().skipped();
      SkippedRange last = skipped.get(skipped.size() - 1);
      assertThat(last.toByte()).as("cut at %d", length).isEqualTo(-1);
      assertThat(last.fromByte()).isEqualTo(lastEndBefore(length));
      assertThat(skipped.stream().filter(range -> range.toByte() == -1)).hasSize(1);
    }
  }

  private long lastEndBefore(int length) {
    return frames.stream().mapToLong(Frame::end).filter(end -> end <= length).max().orElse(0);
  }

  @Test
  void saysWhatWasExpectedWhereItIsCut() throws IOException {
    Frame end = frames.get(frames.size() - 1);
    Timeline unclosed = read(Arrays.copyOf(whole, (int) end.offset())).build();
    Timeline cut = read(Arrays.copyOf(whole, whole.length - 1)).build();

    assertThat(unclosed.skipped())
        .last()
        .isEqualTo(new SkippedRange(0, end.offset(), -1, "the end mark: the file was not closed"));
    assertThat(cut.skipped())
        .last()
        .isEqualTo(new SkippedRange(0, end.offset(), -1, "the rest of a frame"));
  }

  @Test
  void aWholeFileHasNoGap() throws IOException {
    assertThat(read(whole).build().skipped())
        .containsExactly(new SkippedRange(1, 100, 240, "an object"));
  }

  @Test
  void anEmptyFileIsRefused() {
    assertThatThrownBy(() -> read(new byte[0]))
        .isInstanceOf(TraceReadException.class)
        .hasMessageContaining("the file is empty");
  }

  @Test
  void aChangedByteCostsOnlyItsFrame() throws IOException {
    for (int i = 0; i < whole.length; i++) {
      byte[] changed = whole.clone();
      changed[i] ^= (byte) (1 << i % 8);
      int at = i;
      Frame hit =
          frames.stream().filter(f -> f.offset() <= at && at < f.end()).findFirst().orElseThrow();

      TimelineBuilder builder = read(changed);

      if (hit.header().kind() == FrameKind.DICTIONARY) {
        assertThat(builder.build().skipped()).isNotEmpty();
        continue;
      }
      int lost = hit.header().kind() == FrameKind.DATA ? hit.header().records() : 0;
      assertThat(rows(builder))
          .as("byte %d of a %s", i, hit.header().kind())
          .isEqualTo(rowsBefore(whole.length) - lost);
      assertThat(builder.build().skipped())
          .as("byte %d", i)
          .anyMatch(range -> range.fromByte() == hit.offset());
    }
  }

  @Test
  void aLostFirstDictionaryIsMadeUpForByItsRepetition() throws IOException {
    byte[] repeating = written(40, WriterOptions.defaults().withBlockRows(1).withRepeatBytes(2000));
    byte[] changed = repeating.clone();
    changed[firstDictionary(changed)] ^= 1;

    Timeline read = read(changed).build();

    assertThat(TimelineText.of(read))
        .filteredOn(line -> !line.startsWith("SkippedRange"))
        .isEqualTo(
            TimelineText.of(read(repeating).build()).stream()
                .filter(line -> !line.startsWith("SkippedRange"))
                .toList());
    assertThat(read.skipped()).hasSize(2);
  }

  private static int firstDictionary(byte[] file) {
    FrameHeader header = FrameHeader.decode(ByteBuffer.wrap(file), 0);
    return 2 * FrameHeader.BYTES + header.compressed() + 5;
  }

  @Test
  void rowsWithoutTheirDefinitionsAreLeftOut() throws IOException {
    byte[] changed = whole.clone();
    changed[firstDictionary(changed)] ^= 1;

    Timeline read = read(changed).build();

    assertThat(read.isEmpty()).isTrue();
    assertThat(read.skipped())
        .anyMatch(range -> range.what().startsWith("the processes, threads and streams of"));
  }
}
