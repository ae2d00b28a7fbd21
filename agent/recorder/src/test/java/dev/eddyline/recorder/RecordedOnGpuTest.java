package dev.eddyline.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.eddy.EddyReader;
import dev.eddyline.analysis.timeline.ApiKind;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.TimelineBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordedOnGpuTest {
  private static Timeline read(String file) throws IOException {
    TimelineBuilder timeline = new TimelineBuilder();
    new EddyReader().read(Path.of("../../samples/traces", file), timeline, ReadOptions.defaults());
    Timeline read = timeline.build();
    assertThat(read.skipped()).isEmpty();
    return read;
  }

  private static long launchOf(Timeline timeline, int op) {
    return timeline.calls().at(timeline.ops().at(op).call()).start();
  }

  private static List<Integer> collectives(Timeline timeline) {
    return IntStream.range(0, timeline.ops().size())
        .filter(op -> timeline.ops().at(op).name().contains("ncclDevKernel"))
        .boxed()
        .toList();
  }

  @Test
  void every_wait_has_its_record_and_device_times_refute_none() throws IOException {
    Timeline timeline = read("h200-streams.eddy");
    StreamGraph graph = StreamGraph.of(timeline);
    int waits = timeline.waits().size();
    assertThat(IntStream.range(0, waits).filter(i -> graph.bindings().record(i) >= 0).count())
        .isEqualTo(968);
    assertThat(IntStream.range(0, waits).filter(graph.bindings()::isEmpty).count()).isEqualTo(14);
    assertThat(IntStream.range(0, waits).filter(i -> timeline.waits().at(i).isCaptured()).count())
        .isEqualTo(2);
    assertThat(graph.refuted()).isZero();
    assertThat(
            IntStream.range(0, timeline.ops().size())
                .filter(op -> timeline.ops().at(op).start() < launchOf(timeline, op))
                .count())
        .isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"h200-nccl-rank0.eddy", "h200-nccl-rank1.eddy", "h200-nccl-deep-rank0.eddy"})
  void a_record_inside_a_group_lies_before_the_kernel_and_the_handles_record_after_it(String file)
      throws IOException {
    Timeline timeline = read(file);
    List<Integer> kernels = collectives(timeline);
    assertThat(kernels).hasSize(20);
    assertThat(timeline.collectives().size()).isEqualTo(20);
    for (int i = 0; i < 20; i++) {
      var collective = timeline.collectives().at(i);
      long launch = launchOf(timeline, kernels.get(i));
      assertThat(collective.correlation())
          .isEqualTo(timeline.ops().at(kernels.get(i)).correlation());
      long begin = collective.start();
      long handle = collective.workEvent();
      int stream = timeline.ops().at(kernels.get(i)).stream();
      long[] inside = recordsIn(timeline, stream, begin, launch);
      assertThat(inside).isNotEmpty();
      long nextSync =
          IntStream.range(0, timeline.calls().size())
              .mapToObj(c -> timeline.calls().at(c))
              .filter(c -> c.kind() == ApiKind.STREAM_SYNC && c.start() > launch)
              .mapToLong(c -> c.start())
              .findFirst()
              .orElseThrow();
      assertThat(recordsIn(timeline, stream, launch, nextSync)).contains(handle);
      assertThat(inside).doesNotContain(handle);
    }
  }

  /** Events that were recorded on a stream by calls that began in a time. */
  private static long[] recordsIn(Timeline timeline, int stream, long from, long to) {
    return IntStream.range(0, timeline.records().size())
        .filter(
            i -> {
              var record = timeline.records().at(i);
              long start = timeline.calls().at(record.call()).start();
              return record.stream() == stream && start >= from && start < to;
            })
        .mapToLong(i -> timeline.records().at(i).event())
        .toArray();
  }

  @Test
  void deep_mode_tells_what_launches_and_copies_were_given() throws IOException {
    Timeline timeline = read("h200-nccl-deep-rank0.eddy");
    assertThat(timeline.accesses().size()).isEqualTo(132);
    assertThat(timeline.allocations().size()).isEqualTo(1113);
  }
}
