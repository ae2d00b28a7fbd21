package dev.eddyline.marks;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MarksTest {
  private final List<ByteBuffer> records = new ArrayList<>();

  private void listen() {
    Marks.setThreadSink(
        record -> {
          ByteBuffer copy = ByteBuffer.allocate(record.remaining()).order(ByteOrder.LITTLE_ENDIAN);
          copy.put(record).flip();
          records.add(copy);
        });
  }

  @AfterEach
  void stopListening() {
    Marks.setThreadSink(null);
    Marks.setSink(null);
  }

  @Test
  void without_an_agent_nobody_listens() {
    assertThat(Marks.isOn()).isFalse();
  }

  @Test
  void steps_and_ranges_begin_and_end() {
    listen();
    try (Marks.Scope step = Marks.step("step 3");
        Marks.Scope range = Marks.range("prepare")) {
      assertThat(Marks.isOn()).isTrue();
    }

    assertThat(records)
        .extracting(MarkLayout::kind)
        .containsExactly(
            MarkLayout.STEP_BEGIN, MarkLayout.RANGE_BEGIN, MarkLayout.END, MarkLayout.END);
    assertThat(MarkLayout.text(records.get(0), 0, 0)).isEqualTo("step 3");
    assertThat(MarkLayout.text(records.get(1), 0, 0)).isEqualTo("prepare");
  }

  @Test
  void a_record_has_version_length_time_and_thread() {
    listen();
    long before = System.nanoTime();
    Marks.begin("é");
    ByteBuffer record = records.get(0);

    assertThat(record.getShort(MarkLayout.VERSION_OFFSET)).isEqualTo((short) 1);
    assertThat(record.getInt(MarkLayout.LENGTH_OFFSET)).isEqualTo(record.limit()).isEqualTo(28);
    assertThat(record.getLong(MarkLayout.TIME_OFFSET)).isBetween(before, System.nanoTime());
    assertThat(record.getLong(MarkLayout.THREAD_OFFSET)).isEqualTo(Thread.currentThread().getId());
    assertThat(MarkLayout.text(record, 0, 0)).isEqualTo("é");
  }

  @Test
  void names_and_roles_carry_device_and_handle() {
    listen();
    Marks.nameStream(1, 13, "fragment-0");
    Marks.nameEvent(0, 4, "gradients ready");
    Marks.role(1, 13, "fragment");

    assertThat(records)
        .extracting(MarkLayout::kind)
        .containsExactly(MarkLayout.STREAM_NAME, MarkLayout.EVENT_NAME, MarkLayout.ROLE);
    assertThat(MarkLayout.number(records.get(0), 0)).isEqualTo(1);
    assertThat(MarkLayout.number(records.get(0), 1)).isEqualTo(13);
    assertThat(MarkLayout.text(records.get(0), 2, 0)).isEqualTo("fragment-0");
  }

  @Test
  void a_collective_carries_all_that_its_library_knows() {
    listen();
    Marks.collective("world", 7, "allreduce", "f32", 10, 20, 4, 0x7f00, 0x7f10, 2, 13, 5);
    ByteBuffer record = records.get(0);
    List<Long> numbers = new ArrayList<>();
    for (int i = 0; i < MarkLayout.COLLECTIVE_NUMBERS; i++) {
      numbers.add(MarkLayout.number(record, i));
    }

    assertThat(numbers).containsExactly(7L, 10L, 20L, 4L, 0x7f00L, 0x7f10L, 2L, 13L, 5L);
    assertThat(MarkLayout.text(record, MarkLayout.COLLECTIVE_NUMBERS, 0)).isEqualTo("world");
    assertThat(MarkLayout.text(record, MarkLayout.COLLECTIVE_NUMBERS, 1)).isEqualTo("allreduce");
    assertThat(MarkLayout.text(record, MarkLayout.COLLECTIVE_NUMBERS, 2)).isEqualTo("f32");
  }

  @Test
  void long_names_are_cut_between_characters() {
    listen();
    Marks.begin("x" + "é".repeat(2000));

    String name = MarkLayout.text(records.get(0), 0, 0);
    assertThat(name).hasSize(1 + (MarkLayout.MAX_STRING - 1) / 2).endsWith("é");
  }

  @Test
  void a_late_agent_sets_the_sink_of_all_threads_and_a_threads_own_comes_first() {
    List<Integer> ofAgent = new ArrayList<>();
    Marks.setSink(record -> ofAgent.add(MarkLayout.kind(record)));
    Marks.begin("to the agent");
    listen();
    Marks.begin("to the thread");

    assertThat(ofAgent).hasSize(1);
    assertThat(records).hasSize(1);
  }

  @Test
  void what_a_sink_throws_stays_with_it() {
    Marks.setSink(
        record -> {
          throw new IllegalStateException("full");
        });
    Marks.begin("a");
    Marks.end();
  }

  @Test
  void nothing_is_allocated_while_nobody_listens() {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int i = 0; i < 20_000; i++) {
      markAll(i);
    }
    long id = Thread.currentThread().getId();
    long least = Long.MAX_VALUE;
    for (int attempt = 0; attempt < 5; attempt++) {
      long before = threads.getThreadAllocatedBytes(id);
      for (int i = 0; i < 10_000; i++) {
        markAll(i);
      }
      least = Math.min(least, threads.getThreadAllocatedBytes(id) - before);
    }

    assertThat(least).isLessThan(1_000);
  }

  private static void markAll(long i) {
    try (Marks.Scope step = Marks.step("step");
        Marks.Scope range = Marks.range("range")) {
      Marks.nameStream(0, i, "stream");
      Marks.nameEvent(0, i, "event");
      Marks.role(0, i, "nccl");
      Marks.collective("world", i, "allreduce", "f32", i, i, 4, i, i, 0, i, i);
      Marks.beginLaunch();
      Marks.endLaunch();
    }
  }
}
