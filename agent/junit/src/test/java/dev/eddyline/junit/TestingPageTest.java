package dev.eddyline.junit;

import static dev.eddyline.junit.StreamAssertions.assertThat;
import static dev.eddyline.junit.StreamAssertions.collective;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.Grid;
import dev.eddyline.device.HostBuffer;
import dev.eddyline.device.Kernel;
import dev.eddyline.device.Stream;
import dev.eddyline.group.Work;
import dev.eddyline.marks.Marks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** The examples of docs/testing.md. */
class TestingPageTest {
  private static final Path PAGE = Path.of("../../docs/testing.md");
  private static final Path SOURCE =
      Path.of("src/test/java/dev/eddyline/junit/TestingPageTest.java");
  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Kernel ADD = Programs.ADD;
  private static final Kernel DIVIDE =
      Kernel.named("divide")
          .body(
              arguments -> {
                var values = arguments.floats(0);
                float by = arguments.number(1).floatValue();
                for (int i = 0; i < values.limit(); i++) {
                  values.put(i, values.get(i) / by);
                }
              })
          .build();

  @StreamTest(ranks = 2, schedules = 50)
  void the_host_never_waits(Streams streams) {
    StreamTrace trace =
        streams.record(
            (platform, world) -> {
              Device device = platform.device();
              Stream fragment = device.createStream("fragment-0");
              Buffer gradients = device.allocate(DataType.FLOAT32, 1 << 20);
              for (int i = 0; i < 3; i++) {
                Marks.beginStep("step " + i);
                Work work = world.allReduce(gradients);
                work.waitOnStream(fragment);
                fragment.launch(DIVIDE, Grid.covering(gradients.count()), gradients, 2f);
                Marks.end();
              }
            });

    assertThat(trace)
        .hostNeverWaitsForCollectives()
        .op("divide")
        .runsAfter(collective("allreduce"))
        .inEveryStep();
  }

  @Test
  void the_division_waits_for_its_all_reduce() {
    StreamTrace trace = StreamTrace.open("../../samples/traces/diloco_after_rank0.json.gz");

    assertThat(trace)
        .hostNeverWaitsForCollectives()
        .hasAtMostHostSyncsPerStep(0)
        .op("aten::div_")
        .runsAfter(collective("allreduce"))
        .inEveryStep();
  }

  @StreamTest(schedules = 50)
  void the_sum_is_right(Streams streams) {
    streams.record(
        platform -> {
          Device device = platform.device();
          Stream a = device.createStream("a");
          Stream b = device.createStream("b");
          Buffer values = a.allocate(DataType.FLOAT32, 2);
          a.fill(values, 0);
          b.waitFor(a);
          b.launch(ADD, Grid.covering(2), values, 1f);
          HostBuffer read = device.allocatePageable(DataType.FLOAT32, 2);
          b.copy(read, values);
          streams.result("values", read.getFloats());
        });
  }

  @Test
  void every_example_is_here() throws IOException {
    String source = plain(Files.readString(SOURCE));
    Matcher block = BLOCK.matcher(Files.readString(PAGE));
    int found = 0;
    while (block.find()) {
      String example = block.group(1).replace("\"samples/", "\"../../samples/");
      Assertions.assertThat(source).contains(plain(example));
      found++;
    }
    Assertions.assertThat(found).isEqualTo(3);
  }

  private static String plain(String java) {
    return java.replaceAll("\\s+", " ").strip();
  }

  @Test
  void the_failure_that_is_shown_is_the_real_one() throws IOException {
    StreamTrace before = Samples.open("diloco_before_rank0.json.gz");
    String message =
        Assertions.catchThrowable(
                () ->
                    assertThat(before)
                        .op("aten::div_")
                        .runsAfter(collective("allreduce"))
                        .inEveryStep())
            .getMessage();

    Assertions.assertThat(Files.readString(PAGE))
        .contains(message.substring(0, message.indexOf("  Trace: ")));
  }

  @Test
  void every_assertion_is_named() throws IOException {
    String page = Files.readString(PAGE);
    for (var method : StreamTraceAssert.class.getDeclaredMethods()) {
      if (java.lang.reflect.Modifier.isPublic(method.getModifiers())) {
        Assertions.assertThat(page).contains(method.getName() + "(");
      }
    }
  }
}
