package dev.eddyline.analysis.deps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.analysis.RealTraces;
import dev.eddyline.analysis.Scenario;
import dev.eddyline.analysis.deps.WaitFact.State;
import dev.eddyline.analysis.rule.AnalysisOptions;
import dev.eddyline.analysis.rule.Analyzer;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.RecordType.Range;
import java.io.IOException;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DependencyFinderTest {
  private static final String ALL_REDUCE = "ncclDevKernel_AllReduce_Sum_f32_RING_LL";

  private static StreamDependencies deps(Timeline timeline) {
    return DependencyFinder.find(Analyzer.analyze(timeline, AnalysisOptions.defaults()));
  }

  private static StreamDependencies real(String name) {
    return deps(RealTraces.open("h200_pytorch/" + name + ".json.gz"));
  }

  private static Map<String, Integer> perWaiter(StreamDependencies deps) {
    Map<String, Integer> counts = new TreeMap<>();
    deps.rows()
        .forEach(row -> counts.merge(row.waiter().label(), row.waits().size(), Integer::sum));
    return counts;
  }

  private static String text(StreamDependencies deps) throws IOException {
    StringWriter target = new StringWriter();
    DepsText.write(List.of(deps), false, target);
    return target.toString();
  }

  private static void check(StreamDependencies deps, Map<Long, String> truth) {
    for (Dependency row : deps.rows()) {
      for (WaitFact wait : row.waits()) {
        String target = row.target().label();
        if (!target.equals("?")) {
          assertThat(truth.get(wait.correlation()))
              .as("wait %d", wait.correlation())
              .isEqualTo(target);
        }
      }
    }
  }

  private static void put(Map<Long, String> truth, String target, long... waits) {
    for (long wait : waits) {
      truth.put(wait, target);
    }
  }

  @Test
  void before_has_21_waits_6_and_6_and_9_and_none_is_said_wrongly() {
    StreamDependencies deps = real("diloco_before_rank0");

    assertThat(deps.waits()).isEqualTo(21);
    assertThat(deps.recorded()).isZero();
    assertThat(perWaiter(deps)).isEqualTo(Map.of("7", 6, "17", 6, "streams that ran nothing", 9));
    Map<Long, String> truth = new HashMap<>();
    put(truth, "7", 201, 516, 845);
    put(truth, "21, which ran nothing", 220, 535, 864);
    put(truth, "NCCL's own", 229, 544, 873);
    put(truth, "17", 235, 550, 879, 254, 576, 905, 392, 721, 1050);
    put(truth, "the callback's stream", 387, 716, 1045);
    check(deps, truth);
  }

  @Test
  void after_has_18_waits_6_and_6_and_3_and_3_and_none_is_said_wrongly() {
    StreamDependencies deps = real("diloco_after_rank0");

    assertThat(deps.waits()).isEqualTo(18);
    assertThat(perWaiter(deps))
        .isEqualTo(Map.of("21", 6, "17", 6, "7", 3, "streams that ran nothing", 3));
    Map<Long, String> truth = new HashMap<>();
    put(truth, "7", 2526, 2851, 3183);
    put(truth, "21", 2557, 2882, 3214, 2723, 3055, 3387);
    put(truth, "NCCL's own", 2566, 2891, 3223);
    put(truth, "17", 2572, 2897, 3229, 2591, 2923, 3255);
    check(deps, truth);
  }

  @Test
  void what_a_stream_waits_for_and_who_waits_for_it_are_judged_apart() throws IOException {
    StreamDependencies deps = real("diloco_before_rank0");

    assertThat(text(deps))
        .contains("waits   stream that waits")
        .contains("\n25 waits for nothing (sure). Whether another stream waits for 25: not known,")
        .contains("\nThe host waited for 25 three times.\n")
        .contains("inside Work.wait() of default_pg; went on 1.5 and 1.6 us after")
        .doesNotContain("->");
    assertThat(deps.notes())
        .filteredOn(note -> note.party().label().equals("25"))
        .singleElement()
        .satisfies(
            note -> {
              assertThat(note.sureOfItsWaits()).isTrue();
              assertThat(note.openWaits()).isBetween(1, 18);
              assertThat(note.hostBlocks()).isEqualTo(3);
            });
  }

  @Test
  void where_no_wait_names_its_stream_nothing_is_sure() throws IOException {
    StreamDependencies deps = deps(RealTraces.open("public/hta_rank0of16_graphlaunch.json.gz"));

    assertThat(deps.rows()).singleElement().extracting(Dependency::state).isEqualTo(State.UNKNOWN);
    assertThat(text(deps)).contains("whether there was one is not known").doesNotContain("(sure)");
  }

  @Test
  void a_source_that_names_record_and_stream_is_recorded() {
    StreamDependencies deps = deps(RealTraces.open("public/hta_event_sync_multi_stream.json.gz"));

    assertThat(deps.rows()).hasSize(1);
    Dependency row = deps.rows().get(0);
    assertThat(row.waiter().label()).isEqualTo("24");
    assertThat(row.target().label()).isEqualTo("20");
    assertThat(row.state()).isEqualTo(State.RECORDED);
  }

  private static Scenario twoFragments(String communicatorOfSecond) {
    Scenario scenario = new Scenario();
    for (int step = 0; step < 2; step++) {
      double at = step * 1000;
      for (int f = 0; f < 2; f++) {
        String fragment = "fragment-" + f;
        double t = at + f * 100;
        String group = f == 0 ? "world" : communicatorOfSecond;
        String nccl = "nccl of " + group;
        scenario.kernel("difference", fragment, t, t + 5, t + 10);
        scenario.record("ready" + fragment, fragment, t + 11);
        scenario.await(nccl, "ready" + fragment, t + 12);
        scenario.collective("allreduce", group, t + 13, t + 15);
        scenario.kernel(ALL_REDUCE, nccl, t + 14, t + 20, t + 40);
        scenario.record("done" + fragment, nccl, t + 16);
        scenario.await(fragment, "done" + fragment, t + 17);
        scenario.kernel("outer", fragment, t + 18, t + 41, t + 45);
      }
    }
    return scenario;
  }

  /**
   *
   *
   * <pre>
   * fragment-0   KKK e                   (waits) OOO
   * nccl               all-reduce #0  all-reduce #1
   * fragment-1             KKK e                    (waits) OOO    comes after fragment-0's KKK
   * </pre>
   */
  @Test
  void one_communicator_orders_two_fragments_and_is_named() throws IOException {
    StreamDependencies deps = deps(twoFragments("world").timeline());

    assertThat(text(deps))
        .contains(
            "fragment-1 comes after fragment-0 (twice) without a wait for it: both use"
                + " communicator world, which runs its");
  }

  @Test
  void two_communicators_order_nothing() {
    assertThat(deps(twoFragments("other").timeline()).indirect()).isEmpty();
  }

  @Test
  void the_legacy_default_stream_orders_blocking_streams_alone() throws IOException {
    for (StreamInfo.Kind kind : List.of(StreamInfo.Kind.BLOCKING, StreamInfo.Kind.NON_BLOCKING)) {
      Scenario scenario = new Scenario();
      scenario.kind("legacy", StreamInfo.Kind.LEGACY_DEFAULT).kind("s", kind);
      scenario.kernel("A", "s", 0, 5, 10);
      scenario.kernel("B", "legacy", 20, 25, 30);
      StreamDependencies deps = deps(scenario.timeline());

      if (kind == StreamInfo.Kind.BLOCKING) {
        assertThat(text(deps))
            .contains(
                "legacy comes after s (once) without a wait for it: the legacy default stream"
                    + " legacy orders all");
      } else {
        assertThat(deps.indirect()).isEmpty();
      }
    }
  }

  @Test
  void a_wait_for_nothing_is_said_to_be_one() throws IOException {
    Scenario scenario = new Scenario();
    scenario.kernel("A", "s", 0, 5, 10);
    scenario.await("s", "never recorded", 2);

    assertThat(text(deps(scenario.timeline())))
        .contains("s                   nothing     recorded: the event had never been recorded");
  }

  private static Scenario pool(boolean shared) {
    Scenario scenario = new Scenario();
    for (int step = 0; step < 3; step++) {
      double at = step * 1000;
      scenario.range(Range.KIND_STEP, "step" + step, at, at + 900);
      boolean here = shared && step == 2;
      String callback = here ? "fragment-1" : "pool-" + step;
      scenario.role(callback, "callback", at);
      scenario.collective("allreduce", "world", at + 1, at + 3);
      scenario.kernel(ALL_REDUCE, "nccl", at + 2, at + 20, at + 500);
      scenario.record("done" + step, "nccl", at + 3);
      scenario.await(callback, "done" + step, at + 4);
      scenario.kernel("divide", callback, at + 5, at + 501, at + 510);
      scenario.kernel("copy", "fragment-1", at + 6, at + (here ? 511 : 10), at + (here ? 513 : 12));
      scenario.synchronize("fragment-1", at + 30, at + (here ? 515 : 31));
    }
    scenario.kernel("later", "nccl", 2990, 2999, 3000);
    return scenario;
  }

  private static String words(Scenario before, Scenario after) throws IOException {
    StringWriter target = new StringWriter();
    List<StreamDependencies> traces =
        List.of(before, after).stream()
            .map(Scenario::timeline)
            .map(t -> Analyzer.analyze(t, AnalysisOptions.defaults()))
            .map(DependencyFinder::findByRole)
            .toList();
    DepsWords.write(traces, target);
    return target.toString();
  }

  @Test
  void words_say_in_which_steps_two_roles_were_one_stream_and_what_comes_of_it()
      throws IOException {
    Scenario shared = pool(true);
    shared.role("fragment-1", "fragment", -1);

    assertThat(words(shared, pool(false)))
        .containsPattern("callback waits for nccl +1 per step +the same")
        .containsPattern("the host waits for fragment-1 +1 per step +synchronize +the same")
        .containsPattern("callback and fragment-1 were one stream in 1 of 3 steps +never")
        .containsPattern(
            "=> in 1 of 3 steps the host waits for nccl by a sync of fragment-1 \\(0.485 ms each\\)"
                + " +=> the host never waits for a collective");
  }
}
