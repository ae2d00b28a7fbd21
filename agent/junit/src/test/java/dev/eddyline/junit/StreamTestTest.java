package dev.eddyline.junit;

import static dev.eddyline.junit.Programs.ADD;
import static dev.eddyline.junit.Programs.MULTIPLY;
import static dev.eddyline.junit.Programs.SMALL;
import static dev.eddyline.junit.StreamAssertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.Platform;
import dev.eddyline.device.Stream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.EventType;

class StreamTestTest {
  @TempDir static Path folder;

  private static EngineTestKit.Builder engine() {
    return EngineTestKit.engine("junit-jupiter")
        .configurationParameter(StreamTestExtension.FOLDER, folder.toString());
  }

  private static EngineExecutionResults run(String method, String parameters) {
    return engine()
        .selectors(selectMethod(Cases.class.getName() + "#" + method + "(" + parameters + ")"))
        .execute();
  }

  private static EngineExecutionResults run(String method) {
    return run(method, Streams.class.getName());
  }

  private static Throwable failure(EngineExecutionResults results) {
    return results.testEvents().failed().stream()
        .map(event -> event.getRequiredPayload(TestExecutionResult.class))
        .findFirst()
        .orElseThrow()
        .getThrowable()
        .orElseThrow();
  }

  private static List<String> published(EngineExecutionResults results) {
    return results
        .allEvents()
        .filter(event -> event.getType() == EventType.REPORTING_ENTRY_PUBLISHED)
        .map(event -> event.getRequiredPayload(ReportEntry.class))
        .flatMap(entry -> entry.getKeyValuePairs().entrySet().stream())
        .filter(entry -> entry.getKey().equals(StreamTestExtension.TRACE_ENTRY))
        .map(Map.Entry::getValue)
        .toList();
  }

  @Test
  void it_gives_recorder_platform_and_seed_and_the_ranks_that_were_asked_for() {
    EngineExecutionResults results =
        run("everything", Streams.class.getName() + "," + Platform.class.getName() + ",long");

    results.testEvents().assertStatistics(stats -> stats.succeeded(1).failed(0));
    Assertions.assertThat(published(results)).isEmpty();
    Assertions.assertThat(names(results)).containsExactly("sim, 3 ranks, seed 7");
  }

  private static List<String> names(EngineExecutionResults results) {
    return results
        .testEvents()
        .filter(
            event -> event.getType() == EventType.STARTED || event.getType() == EventType.SKIPPED)
        .map(Event::getTestDescriptor)
        .map(descriptor -> descriptor.getDisplayName())
        .toList();
  }

  @Test
  void cuda_without_a_gpu_is_skipped_and_says_why() {
    EngineExecutionResults results = run("onBoth");

    results.testEvents().assertStatistics(stats -> stats.succeeded(1).skipped(1));
    Assertions.assertThat(names(results)).containsExactlyInAnyOrder("sim", "cuda");
    Assertions.assertThat(
            results.testEvents().skipped().stream()
                .map(event -> event.getRequiredPayload(String.class)))
        .singleElement()
        .asString()
        .startsWith("no CUDA device: eddyline-cuda is not on the class path of the tests; add it");
  }

  @Test
  void a_failing_assertion_publishes_its_trace() {
    EngineExecutionResults results = run("depends");

    Assertions.assertThat(failure(results))
        .isInstanceOf(StreamAssertionError.class)
        .hasMessageStartingWith("stream b must never depend on stream a, but does, 1 time\n");
    Assertions.assertThat(published(results))
        .singleElement()
        .asString()
        .endsWith("Cases.depends.eddy");
    Assertions.assertThat(Path.of(published(results).get(0))).exists();
  }

  @Test
  void a_failure_in_the_program_publishes_what_was_recorded_so_far() {
    EngineExecutionResults results = run("throwsInProgram");

    Assertions.assertThat(failure(results)).isInstanceOf(AssertionError.class).hasMessage("wrong");
    Assertions.assertThat(published(results)).hasSize(1);
  }

  @Test
  void a_race_that_one_schedule_hides_is_found_by_fifty() {
    run("racesOnce").testEvents().assertStatistics(stats -> stats.succeeded(1));

    EngineExecutionResults results = run("racesOnFifty");

    Assertions.assertThat(failure(results))
        .isInstanceOf(StreamAssertionError.class)
        .hasMessageStartingWith("a result must be the same on every schedule, but differs on ")
        .hasMessageContaining("nothing orders add, stream a, and multiply, stream b;");
    Assertions.assertThat(published(results))
        .hasSize(2)
        .anyMatch(file -> file.endsWith("Cases.racesOnFifty.eddy"))
        .anyMatch(file -> file.matches(".*Cases.racesOnFifty-seed\\d+.eddy"));
  }

  @Test
  void what_cannot_be_answered_aborts_and_fails_where_it_is_strict() {
    run("cannotAnswer").testEvents().assertStatistics(stats -> stats.aborted(1).failed(0));
    Assertions.assertThat(published(run("cannotAnswer"))).isEmpty();

    Assertions.assertThat(failure(run("cannotAnswerStrict")))
        .hasMessageStartingWith(
            "cannot answer, and strict: does a host sync wait for a collective?\n"
                + "  No collective ran in this trace, so none could be waited for.\n");
  }

  @Test
  void no_ranks_are_refused() {
    EngineExecutionResults results = run("noRanks");

    Assertions.assertThat(
            results.allEvents().failed().stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .map(result -> result.getThrowable().orElseThrow().getMessage()))
        .containsExactly("@StreamTest of noRanks needs at least one device, rank and schedule");
  }

  @Test
  void tests_in_parallel_do_not_see_each_other() throws Exception {
    Parallel.SEEN.clear();

    engine()
        .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
        .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
        .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "4")
        .selectors(selectClass(Parallel.class))
        .execute()
        .testEvents()
        .assertStatistics(stats -> stats.succeeded(6).failed(0));

    Assertions.assertThat(Parallel.SEEN).hasSize(6);
    Set<Integer> sizes = ConcurrentHashMap.newKeySet();
    for (Path file : Parallel.SEEN) {
      sizes.add(Files.readAllBytes(file).length);
    }
    Assertions.assertThat(sizes).allMatch(size -> size > 0);
  }

  static class Cases {
    @StreamTest(ranks = 3, seed = 7)
    void everything(Streams streams, Platform platform, long seed) {
      Set<Integer> ranks = ConcurrentHashMap.newKeySet();
      streams.record(
          () -> {
            ranks.add(platform.rank());
            Assertions.assertThat(platform.worldSize()).isEqualTo(3);
            Assertions.assertThat(platform.device()).isSameAs(streams.device());
            Assertions.assertThat(platform.host().nanoTime()).isPositive();
            Assertions.assertThat(platform.collectives()).isNotNull();
            Assertions.assertThat(platform.store()).isNotNull();
            platform
                .host()
                .start("helper", () -> streams.device().createStream("of helper"))
                .join();
          });
      Assertions.assertThat(ranks).containsExactlyInAnyOrder(0, 1, 2);
      Assertions.assertThat(seed).isEqualTo(7);
    }

    @StreamTest(device = {DeviceKind.SIM, DeviceKind.CUDA})
    void onBoth(Streams streams) {
      streams.record(() -> streams.device().synchronize());
    }

    @StreamTest
    void depends(Streams streams) {
      StreamTrace trace =
          streams.record(
              () -> {
                Stream a = streams.device().createStream("a");
                Stream b = streams.device().createStream("b");
                a.launch(Programs.busy("work", 10), SMALL);
                b.waitFor(a);
                b.launch(Programs.busy("more", 10), SMALL);
              });
      assertThat(trace).streamNeverDependsOn("a", "b").streamNeverDependsOn("b", "a");
    }

    @StreamTest
    void throwsInProgram(Streams streams) {
      streams.record(
          () -> {
            streams.device().createStream("a").launch(Programs.busy("work", 10), SMALL);
            throw new AssertionError("wrong");
          });
    }

    @StreamTest
    void racesOnce(Streams streams) {
      race(streams);
    }

    @StreamTest(schedules = 50)
    void racesOnFifty(Streams streams) {
      race(streams);
    }

    private static void race(Streams streams) {
      streams.record(
          platform -> {
            Stream a = platform.device().createStream("a");
            Stream b = platform.device().createStream("b");
            Buffer buffer = Programs.floats(platform, a, 1, 2);
            a.synchronize();
            a.launch(ADD, SMALL, buffer, 1f);
            platform.host().work(60_000);
            b.launch(MULTIPLY, SMALL, buffer, 3f);
            b.synchronize();
            a.synchronize();
            streams.result("sum", Programs.read(platform, a, buffer));
          });
    }

    @StreamTest
    void cannotAnswer(Streams streams) {
      assertThat(streams.record(() -> {})).hostNeverWaitsForCollectives();
    }

    @StreamTest(strict = true)
    void cannotAnswerStrict(Streams streams) {
      assertThat(streams.record(() -> {})).hostNeverWaitsForCollectives();
    }

    @StreamTest(ranks = 0)
    void noRanks(Streams streams) {}
  }

  @Execution(ExecutionMode.CONCURRENT)
  static class Parallel {
    static final ConcurrentLinkedQueue<Path> SEEN = new ConcurrentLinkedQueue<>();

    private static void run(Streams streams, int launches) {
      StreamTrace trace =
          streams.record(
              () -> {
                Stream own = streams.device().createStream("own");
                for (int i = 0; i < launches; i++) {
                  own.launch(Programs.busy("work", 10), SMALL);
                }
              });
      Assertions.assertThat(trace.analysis().graph().timeline().ops().size())
          .isEqualTo(2 * launches);
      SEEN.add(trace.path());
    }

    @StreamTest(ranks = 2)
    void one(Streams streams) {
      run(streams, 1);
    }

    @StreamTest(ranks = 2)
    void two(Streams streams) {
      run(streams, 2);
    }

    @StreamTest(ranks = 2, schedules = 3)
    void three(Streams streams) {
      run(streams, 3);
    }

    @StreamTest(ranks = 2)
    void four(Streams streams) {
      run(streams, 4);
    }

    @StreamTest(ranks = 2)
    void five(Streams streams) {
      run(streams, 5);
    }

    @StreamTest(ranks = 2, seed = 9)
    void six(Streams streams) {
      run(streams, 6);
    }
  }
}
