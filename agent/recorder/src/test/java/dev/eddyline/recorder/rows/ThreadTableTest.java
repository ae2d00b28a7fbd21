package dev.eddyline.recorder.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.trace.ClockTriple;
import dev.eddyline.trace.Definition.ProcessEntry;
import dev.eddyline.trace.EddyWriter;
import dev.eddyline.trace.FrameRing;
import dev.eddyline.trace.TraceHeader;
import dev.eddyline.trace.WriterOptions;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ThreadTableTest {
  private static final int NO_THREAD = 1 << 29;

  @Test
  void threads_that_have_ended_share_a_bounded_number_of_definitions() {
    TraceHeader header =
        new TraceHeader("test", 1, "", ClockTriple.now(), Map.of(), List.of(), List.of());
    try (EddyWriter writer =
        new EddyWriter(new FrameRing(1, 1), header, WriterOptions.defaults())) {
      ThreadTable table =
          new ThreadTable(new TraceRows(writer, new ProcessEntry(0, 1, -1, -1, "")));
      Set<Integer> ids = new HashSet<>();
      for (int i = 0; i < 20_000; i++) {
        int id = table.id(NO_THREAD + i);
        assertThat(table.id(NO_THREAD + i)).isEqualTo(id);
        ids.add(id);
      }
      assertThat(ids).hasSize(4096);
    }
  }
}
