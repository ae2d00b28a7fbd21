package dev.eddyline.trace;

import static dev.eddyline.trace.FrameKind.DATA;
import static dev.eddyline.trace.FrameKind.DICTIONARY;
import static dev.eddyline.trace.FrameKind.END;
import static dev.eddyline.trace.FrameKind.HEADER;
import static dev.eddyline.trace.FrameKind.MARKS;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EddyWriterTest {
  private static final ClockTriple CLOCK = new ClockTriple(5, 1000, 1_796_055_245_000_000_000L);
  private static final TraceHeader HEADER_ITEM =
      new TraceHeader("test", 42, "host", CLOCK, Map.of(), List.of(), List.of());
  private final MemorySink sink = new MemorySink();

  private static long[] loss(long time) {
    return new long[] {time, 0, 0, 1};
  }

  private EddyWriter writer(WriterOptions options) {
    return new EddyWriter(sink, HEADER_ITEM, options);
  }

  @Test
  void writesHeaderThenDefinitionsThenRowsThenTheEnd() {
    try (EddyWriter writer = writer(WriterOptions.defaults())) {
      assertThat(sink.kinds()).containsExactly(HEADER);
      writer.define(new Definition.ProcessEntry(0, 42, -1, -1, "host"));
      writer.append(RecordType.LOSS, loss(1000));
      writer.append(RecordType.LOSS, loss(3000));
      assertThat(sink.kinds()).containsExactly(HEADER);
    }
    assertThat(sink.kinds()).containsExactly(HEADER, DICTIONARY, DATA, END);
    assertThat(sink.closed).isTrue();
    FrameHeader data = sink.headers.get(2);
    assertThat(data.records()).isEqualTo(2);
    assertThat(data.firstTime()).isEqualTo(1000);
    assertThat(data.lastTime()).isEqualTo(3000);
  }

  @Test
  void everyFrameIsWhatItsHeaderTells() {
    try (EddyWriter writer = writer(WriterOptions.defaults().withBlockRows(3))) {
      for (int i = 0; i < 10; i++) {
        writer.string("string " + i);
        writer.append(RecordType.LOSS, loss(i));
      }
      writer.mark(CLOCK, 9);
    }
    ByteBuffer file = ByteBuffer.wrap(sink.bytes.toByteArray());
    int at = 0;
    for (FrameHeader header : sink.headers) {
      assertThat(FrameHeader.decode(file, at)).isEqualTo(header);
      byte[] frame = new byte[header.compressed()];
      file.get(at + FrameHeader.BYTES, frame);
      assertThat(FrameHeader.hashOf(frame, 0, frame.length)).isEqualTo(header.hash());
      assertThat(Zstd.getFrameContentSize(frame)).isEqualTo(header.expanded());
      at += FrameHeader.BYTES + frame.length;
    }
    assertThat(at).isEqualTo(file.capacity());
    assertThat(sink.records()).isEqualTo(10);
  }

  @Test
  void aChangedHeaderIsNone() {
    writer(WriterOptions.defaults()).close();
    byte[] file = sink.bytes.toByteArray();
    for (int i = 0; i < FrameHeader.BYTES; i++) {
      file[i] ^= 0x10;
      assertThat(FrameHeader.decode(ByteBuffer.wrap(file), 0)).isNull();
      file[i] ^= 0x10;
    }
    assertThat(FrameHeader.decode(ByteBuffer.wrap(file), 0)).isNotNull();
  }

  @Test
  void flushesAFullBlockAtOnce() {
    EddyWriter writer = writer(WriterOptions.defaults().withBlockRows(4));
    for (int i = 0; i < 9; i++) {
      writer.append(RecordType.LOSS, loss(i));
    }
    assertThat(sink.records()).isEqualTo(8);
  }

  @Test
  void flushesOldRows() {
    EddyWriter writer = writer(WriterOptions.defaults());
    long before = System.nanoTime();
    writer.append(RecordType.LOSS, loss(1));
    writer.flushIfDue(before);
    assertThat(sink.records()).isZero();
    writer.flushIfDue(System.nanoTime() + WriterOptions.defaults().flushNanos());
    assertThat(sink.records()).isEqualTo(1);
  }

  @Test
  void marksFollowTheRowsTheySpeakOf() {
    EddyWriter writer = writer(WriterOptions.defaults());
    writer.append(RecordType.LOSS, loss(1));
    writer.mark(CLOCK, 1);
    assertThat(sink.kinds()).containsExactly(HEADER, DATA, MARKS);
  }

  @Test
  void repeatsAllDefinitionsAfterSomeBytes() {
    try (EddyWriter writer =
        writer(WriterOptions.defaults().withBlockRows(1).withRepeatBytes(1000))) {
      writer.string("a string");
      for (int i = 0; i < 100; i++) {
        writer.append(RecordType.LOSS, loss(i));
      }
    }
    List<FrameHeader> dictionaries =
        sink.headers.stream().filter(header -> header.kind() == DICTIONARY).toList();
    assertThat(dictionaries).hasSizeBetween(5, 20);
    assertThat(dictionaries).allMatch(header -> header.records() == 1);
  }

  @Test
  void cutsLargeDictionariesIntoFrames() {
    try (EddyWriter writer = writer(WriterOptions.defaults())) {
      for (int i = 0; i < 50_000; i++) {
        writer.string("a string that is not short at all, for a start, and has the number " + i);
      }
    }
    assertThat(sink.kinds())
        .containsExactly(HEADER, DICTIONARY, DICTIONARY, DICTIONARY, DICTIONARY, END);
    assertThat(sink.headers).allMatch(header -> header.expanded() < 1 << 21);
  }

  @Test
  void boundsTheDictionary() {
    EddyWriter writer = writer(WriterOptions.defaults().withStrings(3, 100));
    assertThat(writer.string("")).isZero();
    assertThat(writer.string("one")).isEqualTo(1);
    assertThat(writer.string("two")).isEqualTo(2);
    assertThat(writer.string("three")).isEqualTo(3);
    assertThat(writer.string("four")).isEqualTo(3);
    assertThat(writer.string("one")).isEqualTo(1);
  }

  @Test
  void refusesRowsWhenClosed() {
    EddyWriter writer = writer(WriterOptions.defaults());
    writer.close();
    writer.close();
    assertThat(writer.append(RecordType.LOSS, loss(1))).isFalse();
    writer.mark(CLOCK, 1);
    writer.flushIfDue(Long.MAX_VALUE);
    assertThat(sink.kinds()).containsExactly(HEADER, END);
  }

  @Test
  void tellsAFullDiskOnceAndGoesOnWhenThereIsRoom() {
    List<Throwable> told = new ArrayList<>();
    boolean[] full = {true};
    FrameSink disk =
        new FrameSink() {
          @Override
          public void write(FrameHeader header, byte[] bytes, int length) throws IOException {
            if (full[0]) {
              throw new IOException("No space left on device");
            }
            sink.write(header, bytes, length);
          }

          @Override
          public void close() {}
        };
    EddyWriter writer =
        new EddyWriter(disk, HEADER_ITEM, WriterOptions.defaults().onFailure(told::add));
    writer.string("a string");
    for (int i = 0; i < 5; i++) {
      assertThat(writer.append(RecordType.LOSS, loss(i))).isTrue();
      writer.flush();
    }
    assertThat(told).hasSize(1);
    assertThat(writer.failures()).isEqualTo(6);
    assertThat(writer.firstFailure()).hasMessage("No space left on device");

    full[0] = false;
    writer.append(RecordType.LOSS, loss(6));
    writer.close();

    assertThat(sink.kinds()).containsExactly(HEADER, DICTIONARY, DATA, END);
    assertThat(writer.recordsWritten()).isEqualTo(1);
    assertThat(told).hasSize(1);
  }

  @Test
  void aSinkThatFailsWithDefinitionsPendingDoesNotHang() {
    FrameSink broken =
        new FrameSink() {
          @Override
          public void write(FrameHeader header, byte[] bytes, int length) throws IOException {
            if (header.kind() == DICTIONARY) {
              throw new IOException("no");
            }
          }

          @Override
          public void close() throws IOException {
            throw new IOException("no");
          }
        };
    EddyWriter writer = new EddyWriter(broken, HEADER_ITEM, WriterOptions.defaults());
    for (int i = 0; i < 50_000; i++) {
      writer.string("a string that is not short at all, for a start, and has the number " + i);
    }
    writer.append(RecordType.LOSS, loss(6));
    writer.close();
    assertThat(writer.recordsWritten()).isZero();
  }

  @Test
  void keepsEveryRowOfSeveralThreads() throws InterruptedException {
    EddyWriter writer = writer(WriterOptions.defaults().withBlockRows(100));
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < 5000; i++) {
                  writer.append(RecordType.LOSS, loss(i));
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join(TimeUnit.SECONDS.toMillis(60));
    }
    writer.close();
    assertThat(sink.records()).isEqualTo(20_000);
    assertThat(writer.recordsWritten()).isEqualTo(20_000);
  }
}
