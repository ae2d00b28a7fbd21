package dev.eddyline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.Traces;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.Timeline;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChromeExportTest {
  private static final String BEFORE = Cli.SAMPLES + "diloco_before_rank0.json.gz";
  @TempDir Path folder;

  private Path export(String... traces) {
    Path target = folder.resolve("out.json.gz");
    List<String> args = new ArrayList<>(List.of("export"));
    args.addAll(List.of(traces));
    args.addAll(List.of("--to", "chrome", "-o", target.toString(), "--force"));
    Cli run = Cli.run(args.toArray(new String[0]));
    assertThat(run).isEqualTo(new Cli(0, "", ""));
    return target;
  }

  private static JsonNode json(Path file) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      return new ObjectMapper().readTree(in);
    }
  }

  private static List<String> ops(Path file) throws IOException {
    Timeline timeline = Traces.open(List.of(file), ReadOptions.defaults());
    List<String> ops = new ArrayList<>();
    OpView op = timeline.ops();
    for (int i = 0; i < op.size(); i++) {
      op.at(i);
      ops.add(
          String.join(
              " ",
              Long.toString(op.start()),
              Long.toString(op.duration()),
              Long.toString(timeline.stream(op.stream()).id()),
              Long.toString(op.correlation()),
              Integer.toString(op.kind()),
              op.name()));
    }
    return ops;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        Cli.SAMPLES + "diloco_before_rank0.json.gz",
        Cli.SAMPLES + "diloco_after_rank1.json.gz",
        Cli.STORIES + "callback_block_rank0.json.gz",
        Cli.PUBLIC + "hta_event_sync_multi_stream.json.gz",
        Cli.PUBLIC + "hta_rank0of16_graphlaunch.json.gz"
      })
  void a_copy_keeps_every_op(String trace) throws IOException {
    assertThat(ops(export(trace))).isNotEmpty().isEqualTo(ops(Path.of(trace)));
  }

  @Test
  void a_copy_keeps_every_event_and_property() throws IOException {
    JsonNode source = json(Path.of(BEFORE));
    JsonNode copy = json(export(BEFORE));
    JsonNode events = source.get("traceEvents");

    for (int i = 0; i < events.size(); i++) {
      assertThat(copy.get("traceEvents").get(i)).isEqualTo(events.get(i));
    }
    source
        .fieldNames()
        .forEachRemaining(
            field -> {
              if (!field.equals("traceEvents")) {
                assertThat(copy.get(field)).isEqualTo(source.get(field));
              }
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"diloco_before_rank0", "diloco_after_rank0"})
  void from_an_eddy_the_same_ops_are_made(String name) throws IOException {
    String trace = Cli.SAMPLES + name + ".json.gz";
    Path eddy = folder.resolve(name + ".eddy");
    assertThat(Cli.run("export", trace, "--to", "eddy", "-o", eddy.toString()).code()).isZero();

    assertThat(ops(export(eddy.toString()))).isEqualTo(ops(Path.of(trace)));
  }

  @Test
  void arrows_and_marks_stand_inside_slices_of_their_lane() throws IOException {
    JsonNode events = json(export(Cli.STORIES + "callback_block_rank0.json.gz")).get("traceEvents");
    Map<String, List<double[]>> slices = new HashMap<>();
    for (JsonNode event : events) {
      if (event.path("ph").asText().equals("X")) {
        double start = event.get("ts").asDouble();
        slices
            .computeIfAbsent(event.get("pid") + "/" + event.get("tid"), lane -> new ArrayList<>())
            .add(new double[] {start, start + event.path("dur").asDouble()});
      }
    }
    int arrows = 0;
    int marks = 0;
    for (JsonNode event : events) {
      if (event.path("cat").asText().equals("eddyline")) {
        double ts = event.get("ts").asDouble();
        assertThat(slices.get(event.get("pid") + "/" + event.get("tid")))
            .anyMatch(slice -> slice[0] <= ts && ts <= slice[1]);
        arrows += event.get("ph").asText().equals("s") ? 1 : 0;
        marks += event.get("ph").asText().equals("i") ? 1 : 0;
      }
    }
    assertThat(arrows).isEqualTo(10);
    assertThat(marks).isGreaterThanOrEqualTo(3);
  }

  @Test
  void every_arrow_has_two_ends_and_points_forward() throws IOException {
    JsonNode events = json(export(BEFORE)).get("traceEvents");
    Map<Integer, JsonNode> starts = new HashMap<>();
    int ends = 0;
    for (JsonNode event : events) {
      if (!event.path("cat").asText().equals("eddyline")) {
        continue;
      }
      if (event.get("ph").asText().equals("s")) {
        starts.put(event.get("id").asInt(), event);
      } else if (event.get("ph").asText().equals("f")) {
        ends++;
        JsonNode start = starts.get(event.get("id").asInt());
        assertThat(start).isNotNull();
        assertThat(start.get("ts").asDouble()).isLessThanOrEqualTo(event.get("ts").asDouble());
      }
    }
    assertThat(ends).isEqualTo(starts.size()).isPositive();
  }

  @Test
  void ranks_together_keep_lanes_apart() throws IOException {
    JsonNode events =
        json(export(BEFORE, Cli.SAMPLES + "diloco_before_rank1.json.gz")).get("traceEvents");
    Map<String, Integer> kernels = new HashMap<>();
    for (JsonNode event : events) {
      if (event.path("cat").asText().equals("kernel")) {
        kernels.merge(event.get("pid") + "/" + event.get("tid"), 1, Integer::sum);
      }
    }

    assertThat(kernels).hasSize(6);
  }
}
