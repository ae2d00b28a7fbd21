package dev.eddyline.device.sim;

import static dev.eddyline.device.sim.Programs.SMALL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.analysis.graph.Reachability;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.device.Device;
import dev.eddyline.device.Event;
import dev.eddyline.device.Platform;
import dev.eddyline.device.Stream;
import dev.eddyline.device.StreamOptions;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RandomProgramTest {
  private static final int STREAMS = 5;
  private static final int LEGACY = 0;
  private static final int FIRST_FREE = 3;
  private static final int EVENTS = 4;
  private static final int STEPS = 120;

  private enum What {
    LAUNCH,
    RECORD,
    WAIT,
    SYNC_STREAM,
    SYNC_EVENT,
    SYNC_DEVICE
  }

  private record Step(What what, int stream, int event, long nanos) {}

  private static List<Step> program(long seed) {
    Random random = new Random(seed);
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < STEPS; i++) {
      int dice = random.nextInt(100);
      What what =
          dice < 50
              ? What.LAUNCH
              : dice < 70
                  ? What.RECORD
                  : dice < 92
                      ? What.WAIT
                      : dice < 95
                          ? What.SYNC_STREAM
                          : dice < 98 ? What.SYNC_EVENT : What.SYNC_DEVICE;
      steps.add(
          new Step(
              what,
              random.nextInt(STREAMS),
              random.nextInt(EVENTS),
              1_000 + random.nextInt(60_000)));
    }
    return steps;
  }

  private static void run(Platform platform, List<Step> steps) {
    Device device = platform.device();
    Stream[] streams = {
      device.defaultStream(),
      device.createStream(StreamOptions.blocking("b1")),
      device.createStream(StreamOptions.blocking("b2")),
      device.createStream("n1"),
      device.createStream("n2")
    };
    Event[] events = new Event[EVENTS];
    for (int i = 0; i < EVENTS; i++) {
      events[i] = device.createEvent("e" + i);
    }
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      Stream stream = streams[step.stream()];
      Event event = events[step.event()];
      switch (step.what()) {
        case LAUNCH -> stream.launch(Programs.busy("k" + i, step.nanos()), SMALL);
        case RECORD -> stream.record(event);
        case WAIT -> stream.waitFor(event);
        case SYNC_STREAM -> stream.synchronize();
        case SYNC_EVENT -> event.synchronize();
        case SYNC_DEVICE -> device.synchronize();
      }
    }
  }

  /**
   * What comes before each launch, by plain sets.
   *
   * <p>With {@code all} by CUDA's full rules; without, host syncs bind launches alone, as in the
   * analysis: a record that follows a sync without a launch between them does not carry it on.
   */
  private static BitSet[] reference(List<Step> steps, boolean all) {
    BitSet[] before = new BitSet[steps.size()];
    BitSet[] behind = new BitSet[STREAMS];
    BitSet[] recorded = new BitSet[EVENTS];
    BitSet known = new BitSet();
    BitSet launched = new BitSet();
    for (int s = 0; s < STREAMS; s++) {
      behind[s] = new BitSet();
    }
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      BitSet mine = behind[step.stream()];
      boolean enqueues = step.what().ordinal() <= What.WAIT.ordinal();
      if (step.what() == What.LAUNCH || all && enqueues) {
        joinLegacy(behind, step.stream());
        mine.or(known);
      }
      BitSet event = recorded[step.event()];
      switch (step.what()) {
        case LAUNCH -> {
          before[i] = (BitSet) mine.clone();
          mine.set(i);
          launched.set(i);
        }
        case RECORD -> recorded[step.event()] = (BitSet) mine.clone();
        case WAIT -> {
          if (event != null) {
            mine.or(event);
          }
        }
        case SYNC_STREAM -> {
          known.or(mine);
          for (int s = 0; step.stream() == LEGACY && s < FIRST_FREE; s++) {
            known.or(behind[s]);
          }
        }
        case SYNC_EVENT -> {
          if (event != null) {
            known.or(event);
          }
        }
        case SYNC_DEVICE -> known.or(launched);
      }
    }
    return before;
  }

  private static void joinLegacy(BitSet[] behind, int stream) {
    if (stream == LEGACY) {
      for (int s = 1; s < FIRST_FREE; s++) {
        behind[LEGACY].or(behind[s]);
      }
    } else if (stream < FIRST_FREE) {
      behind[stream].or(behind[LEGACY]);
    }
  }

  private static int[] rows(Timeline timeline, List<Step> steps) {
    int[] rows = new int[steps.size()];
    OpView op = timeline.ops();
    for (int i = 0; i < op.size(); i++) {
      rows[Integer.parseInt(op.at(i).name().substring(1))] = i;
    }
    return rows;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void nothing_starts_before_what_it_must_come_after(int schedule) {
    for (int seed = 1; seed <= 150; seed++) {
      int number = seed;
      List<Step> steps = program(seed);
      SimResult result =
          Sim.run(
              SimOptions.defaults().withSeed(schedule * seed), platform -> run(platform, steps));
      Timeline timeline = Programs.open(result);
      BitSet[] before = reference(steps, true);
      int[] rows = rows(timeline, steps);
      for (int i = 0; i < steps.size(); i++) {
        if (before[i] != null) {
          long start = timeline.ops().at(rows[i]).start();
          int late = i;
          before[i].stream()
              .forEach(
                  j ->
                      assertThat(timeline.ops().at(rows[j]).end())
                          .as("program %d: k%d ends before k%d starts", number, j, late)
                          .isLessThanOrEqualTo(start));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void the_analysis_finds_the_same_order_in_the_trace(int schedule) {
    for (int seed = 1; seed <= 150; seed++) {
      List<Step> steps =
          program(seed).stream()
              .filter(step -> step.stream() != LEGACY || step.what() == What.SYNC_EVENT)
              .toList();
      SimResult result =
          Sim.run(
              SimOptions.defaults().withSeed(schedule * seed), platform -> run(platform, steps));
      Timeline timeline = Programs.open(result);
      Reachability reachability = new Reachability(StreamGraph.of(timeline));
      BitSet[] before = reference(steps, false);
      int[] rows = rows(timeline, steps);
      for (int i = 0; i < steps.size(); i++) {
        for (int j = 0; j < i; j++) {
          if (before[i] != null && before[j] != null) {
            assertThat(reachability.reaches(rows[j], rows[i]))
                .as("program %d: k%d before k%d", seed, j, i)
                .isEqualTo(before[i].get(j));
            assertThat(reachability.reaches(rows[i], rows[j])).isFalse();
          }
        }
      }
    }
  }
}
