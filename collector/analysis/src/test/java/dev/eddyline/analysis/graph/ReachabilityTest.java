package dev.eddyline.analysis.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.analysis.Scenario;
import dev.eddyline.analysis.timeline.StreamInfo;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReachabilityTest {

  private static final int STREAMS = 5;
  private static final int EVENTS = 4;
  private static final int THREADS = 2;
  private static final int ACTIONS = 120;

  /** Keeps, per stream, event and thread, the set of all ops that come before: slow and obvious. */
  private static final class Reference {
    private final List<BitSet> before = new ArrayList<>();
    private final BitSet[] stream = sets(STREAMS);
    private final Map<Integer, BitSet> event = new HashMap<>();
    private final BitSet[] thread = sets(THREADS);

    private static BitSet[] sets(int n) {
      BitSet[] sets = new BitSet[n];
      for (int i = 0; i < n; i++) {
        sets[i] = new BitSet();
      }
      return sets;
    }

    private final boolean legacy;

    Reference(boolean legacy) {
      this.legacy = legacy;
    }

    /** Stream 0 is the legacy default stream, 1 and 2 are blocking, the others are not. */
    private void enqueue(int t, int s) {
      stream[s].or(thread[t]);
      if (legacy && s == 0) {
        stream[0].or(stream[1]);
        stream[0].or(stream[2]);
      } else if (legacy && s <= 2) {
        stream[s].or(stream[0]);
      }
    }

    void launch(int t, int s) {
      enqueue(t, s);
      before.add((BitSet) stream[s].clone());
      stream[s].set(before.size() - 1);
    }

    void record(int t, int s, int e) {
      enqueue(t, s);
      event.put(e, (BitSet) stream[s].clone());
    }

    void await(int t, int s, int e) {
      enqueue(t, s);
      stream[s].or(event.getOrDefault(e, new BitSet()));
    }

    void sync(int t, int s) {
      thread[t].or(stream[s]);
      if (legacy && s == 0) {
        thread[t].or(stream[1]);
        thread[t].or(stream[2]);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1597})
  void agrees_with_plain_sets_on_random_programs(long seed) {
    compare(seed, false);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1597})
  void agrees_with_plain_sets_on_random_programs_with_the_legacy_default_stream(long seed) {
    compare(seed, true);
  }

  private static void compare(long seed, boolean legacy) {
    Random random = new Random(seed);
    Scenario scenario = new Scenario();
    Reference reference = new Reference(legacy);
    if (legacy) {
      scenario.kind("s0", StreamInfo.Kind.LEGACY_DEFAULT);
      scenario.kind("s1", StreamInfo.Kind.BLOCKING).kind("s2", StreamInfo.Kind.BLOCKING);
    }
    for (int i = 0; i < ACTIONS; i++) {
      int t = random.nextInt(THREADS);
      int s = random.nextInt(STREAMS);
      int e = random.nextInt(EVENTS);
      double at = i * 10;
      scenario.onThread(t + 1L);
      switch (random.nextInt(7)) {
        case 0, 1, 2 -> {
          scenario.kernel("K", "s" + s, at, 10_000 + i * 10, 10_005 + i * 10);
          reference.launch(t, s);
        }
        case 3, 4 -> {
          scenario.record("e" + e, "s" + s, at);
          reference.record(t, s, e);
        }
        case 5 -> {
          scenario.await("s" + s, "e" + e, at);
          reference.await(t, s, e);
        }
        default -> {
          scenario.synchronize("s" + s, at, at + 1);
          reference.sync(t, s);
        }
      }
    }
    Reachability reachability = new Reachability(scenario.graph());

    for (int after = 0; after < reference.before.size(); after++) {
      for (int before = 0; before < reference.before.size(); before++) {
        if (before != after) {
          assertThat(reachability.reaches(before, after))
              .as("seed %d: op %d before op %d", seed, before, after)
              .isEqualTo(reference.before.get(after).get(before));
        }
      }
    }
  }
}
