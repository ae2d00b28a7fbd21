package dev.eddyline.analysis.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HappensBeforeTest {
  private static final int STREAMS = 7;
  private static final int THREADS = 3;
  private static final int EVENTS = 4;
  private static final int ACTIONS = 48;
  private static final int[] CONTEXT_OF = {0, 0, 0, -1, 1, 1, -1};
  private static final int[] LEGACY_OF = {0, 4};

  /** Keeps, per stream, event, thread and process, all ops that come before: slow and obvious. */
  private static final class Reference {
    private final List<BitSet> before = new ArrayList<>();
    private final BitSet[] stream = sets(STREAMS);
    private final BitSet[] event = sets(EVENTS);
    private final BitSet[] thread = sets(THREADS);
    private final BitSet process = new BitSet();
    private final boolean handOvers;

    Reference(boolean handOvers) {
      this.handOvers = handOvers;
    }

    private static BitSet[] sets(int n) {
      BitSet[] sets = new BitSet[n];
      for (int i = 0; i < n; i++) {
        sets[i] = new BitSet();
      }
      return sets;
    }

    void enqueue(int t, int s) {
      stream[s].or(thread[t]);
      if (handOvers) {
        stream[s].or(process);
      }
      int context = CONTEXT_OF[s];
      if (context >= 0 && LEGACY_OF[context] == s) {
        for (int other = 0; other < STREAMS; other++) {
          if (CONTEXT_OF[other] == context) {
            stream[s].or(stream[other]);
          }
        }
      } else if (context >= 0) {
        stream[s].or(stream[LEGACY_OF[context]]);
      }
    }

    void launch(int s) {
      before.add((BitSet) stream[s].clone());
      stream[s].set(before.size() - 1);
    }
  }

  /** One program, for the slow reference and for the fast answer. */
  private static final class Program {
    private final Random random;
    private final Reference strict = new Reference(false);
    private final Reference assumed = new Reference(true);
    private final HappensBefore fast =
        new HappensBefore(STREAMS, THREADS, 1, CONTEXT_OF, LEGACY_OF);
    private final List<int[]> ops = new ArrayList<>();
    private final int[] recordedOn = new int[EVENTS];
    private final int[] recordedAt = new int[EVENTS];

    Program(long seed) {
      random = new Random(seed);
      java.util.Arrays.fill(recordedOn, -1);
      for (int i = 0; i < ACTIONS; i++) {
        act(2 * i);
      }
    }

    private void act(int moment) {
      int t = random.nextInt(THREADS);
      int s = random.nextInt(STREAMS);
      int e = random.nextInt(EVENTS);
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> {
          enqueue(t, s, moment);
          strict.launch(s);
          assumed.launch(s);
          ops.add(new int[] {s, moment});
        }
        case 3, 4 -> {
          enqueue(t, s, moment);
          strict.event[e] = (BitSet) strict.stream[s].clone();
          assumed.event[e] = (BitSet) assumed.stream[s].clone();
          recordedOn[e] = s;
          recordedAt[e] = moment;
        }
        case 5, 6 -> {
          enqueue(t, s, moment);
          strict.stream[s].or(strict.event[e]);
          assumed.stream[s].or(assumed.event[e]);
          if (recordedOn[e] >= 0) {
            fast.edge(s, moment, recordedOn[e], recordedAt[e]);
          }
        }
        default -> sync(t, s, moment, random.nextInt(4) == 0);
      }
    }

    private void enqueue(int t, int s, int moment) {
      strict.enqueue(t, s);
      assumed.enqueue(t, s);
      fast.enqueue(s, t, 0, moment);
    }

    private void sync(int t, int s, int moment, boolean device) {
      for (int other = 0; other < STREAMS; other++) {
        boolean follows = CONTEXT_OF[s] >= 0 && CONTEXT_OF[s] == CONTEXT_OF[other];
        boolean covered = device || other == s || follows && LEGACY_OF[CONTEXT_OF[s]] == s;
        if (covered) {
          strict.thread[t].or(strict.stream[other]);
          assumed.thread[t].or(assumed.stream[other]);
          fast.edge(fast.thread(t), moment + 1, other, fast.untilNow(other));
        }
      }
      assumed.process.or(assumed.thread[t]);
      fast.tellProcess(0, moment + 1, t, moment + 1);
    }

    void compare(long seed) {
      for (int after = 0; after < ops.size(); after++) {
        for (int before = 0; before < ops.size(); before++) {
          if (ops.get(after)[0] != ops.get(before)[0]) {
            check(seed, before, after, strict, false);
            check(seed, before, after, assumed, true);
          }
        }
      }
    }

    private void check(long seed, int before, int after, Reference slow, boolean handOvers) {
      int[] a = ops.get(before);
      int[] b = ops.get(after);
      int known = fast.known(b[0], b[1], a[0], HappensBefore.MOST, handOvers);
      boolean enough = fast.known(b[0], b[1], a[0], a[1], handOvers) > a[1];
      boolean right = slow.before.get(after).get(before);
      if (known > a[1] != right || enough != right) {
        assertThat(known > a[1])
            .as("seed %d: op %d before op %d, hand-overs %s", seed, before, after, handOvers)
            .isEqualTo(right);
        assertThat(enough).as("seed %d: stopped early", seed).isEqualTo(right);
      }
    }
  }

  @Test
  void agrees_with_plain_sets_on_10_000_random_programs() {
    for (long seed = 0; seed < 10_000; seed++) {
      new Program(seed).compare(seed);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100})
  void the_legacy_stream_alone_keeps_nothing_per_op(int followers) {
    int[] contextOf = new int[1 + followers];
    HappensBefore order = new HappensBefore(1 + followers, 1, 1, contextOf, new int[] {0});
    order.enqueue(1, 0, 0, 0);
    for (int i = 1; i <= 100_000; i++) {
      order.enqueue(0, 0, 0, 2 * i);
    }
    order.enqueue(1, 0, 0, 200_002);

    assertThat(order.kept()).isZero();
    assertThat(order.known(0, 2, 1, HappensBefore.MOST, false)).isEqualTo(2);
    assertThat(order.known(1, 200_002, 0, HappensBefore.MOST, false)).isGreaterThan(200_000);
  }
}
