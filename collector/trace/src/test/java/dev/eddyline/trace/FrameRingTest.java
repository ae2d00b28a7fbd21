package dev.eddyline.trace;

import static dev.eddyline.trace.FrameKind.DATA;
import static dev.eddyline.trace.FrameKind.DICTIONARY;
import static dev.eddyline.trace.FrameKind.END;
import static dev.eddyline.trace.FrameKind.HEADER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FrameRingTest {
  private static final TraceHeader HEADER_ITEM = TraceHeader.imported("test");

  private static EddyWriter writer(FrameSink sink) {
    return new EddyWriter(sink, HEADER_ITEM, WriterOptions.defaults().withBlockRows(10));
  }

  private static void append(EddyWriter writer, int from, int to) {
    for (int i = from; i < to; i++) {
      writer.append(RecordType.LOSS, new long[] {i, 0, 0, 1});
    }
  }

  @Test
  void aSnapshotIsAWholeFileOfTheLastFrames() throws IOException {
    FrameRing ring = new FrameRing(TimeUnit.HOURS.toNanos(1), 1000);
    EddyWriter writer = writer(ring);
    writer.define(new Definition.ProcessEntry(0, 1, -1, -1, ""));
    append(writer, 0, 995);
    assertThat(ring.bytes()).isBetween(700L, 1000L);

    MemorySink snapshot = new MemorySink();
    writer.snapshot(snapshot);

    assertThat(snapshot.kinds().subList(0, 3)).containsExactly(HEADER, DICTIONARY, DATA);
    assertThat(snapshot.kinds()).endsWith(DATA, END);
    FrameHeader last = snapshot.headers.get(snapshot.headers.size() - 2);
    assertThat(last.records()).isEqualTo(5);
    assertThat(last.lastTime()).isEqualTo(994);
    assertThat(snapshot.closed).isFalse();
  }

  @Test
  void aSecondSnapshotHasTheDefinitionsToo() throws IOException {
    EddyWriter writer = writer(new FrameRing(TimeUnit.HOURS.toNanos(1), 1 << 20));
    writer.string("a string");
    append(writer, 0, 3);
    MemorySink first = new MemorySink();
    writer.snapshot(first);
    append(writer, 3, 6);
    MemorySink second = new MemorySink();
    writer.snapshot(second);

    assertThat(first.kinds()).containsExactly(HEADER, DICTIONARY, DATA, END);
    assertThat(second.kinds()).containsExactly(HEADER, DICTIONARY, DATA, DATA, END);
  }

  @Test
  void forgetsWhatIsOld() throws Exception {
    FrameRing ring = new FrameRing(TimeUnit.MILLISECONDS.toNanos(1), 1 << 20);
    EddyWriter writer = writer(ring);
    append(writer, 0, 10);
    Thread.sleep(20);
    MemorySink snapshot = new MemorySink();
    writer.snapshot(snapshot);
    assertThat(snapshot.kinds()).containsExactly(HEADER, END);
  }

  @Test
  void onlyAnOpenRingHasSnapshots() {
    MemorySink sink = new MemorySink();
    EddyWriter file = writer(sink);
    assertThatThrownBy(() -> file.snapshot(sink)).isInstanceOf(IllegalStateException.class);
    EddyWriter ring = writer(new FrameRing(1, 1));
    ring.close();
    assertThatThrownBy(() -> ring.snapshot(sink)).isInstanceOf(IllegalStateException.class);
  }
}
