package dev.eddyline.benchmark;

import dev.eddyline.analysis.graph.HappensBefore;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Measures happens-before on 10 million nodes and 200 streams: ops, records and waits of random
 * streams, and syncs of a few host threads; the same with the rules of the legacy default stream;
 * and all of it on the legacy stream. Budget (design, issue 6): 4 s, 1.5 GiB each. The heap is the
 * limit of memory: run with {@code -Xmx1536m}.
 *
 * <pre>
 * OrderSpeed [NODES] [REPETITIONS] [PROGRAM]
 * </pre>
 */
public final class OrderSpeed {
  private static final int STREAMS = 200;
  private static final int THREADS = 4;
  private static final int EVENTS = 1024;
  private static final int QUERIES = 1_000_000;
  private static final int WINDOW = 20_000;
  private static final double NS_PER_S = 1e9;

  private OrderSpeed() {}

  /** What a program is like. */
  private enum Program {
    NON_BLOCKING,
    HALF_BLOCKING,
    ALL_ON_LEGACY
  }

  /** Prints seconds of wall clock and of the thread, and the heap that is kept. */
  public static void main(String[] arguments) {
    int nodes = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10_000_000;
    int repetitions = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5;
    for (Program program : Program.values()) {
      boolean wanted = arguments.length < 3 || arguments[2].equals(program.name());
      for (int i = 0; wanted && i < repetitions; i++) {
        measure(program, nodes, i);
      }
    }
  }

  private static void measure(Program program, int nodes, long seed) {
    long begin = System.nanoTime();
    long cpu = cpu();
    HappensBefore order = build(program, nodes, seed);
    double seconds = (System.nanoTime() - begin) / NS_PER_S;
    double own = (cpu() - cpu) / NS_PER_S;
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    long heap = (runtime.totalMemory() - runtime.freeMemory()) >> 20;
    begin = System.nanoTime();
    int ordered = ask(order, nodes, seed);
    double nanos = (double) (System.nanoTime() - begin) / QUERIES;
    System.out.printf(
        Locale.ROOT,
        "%s: %d nodes in %.2f s (%.2f s of the thread), %d MiB kept; %.0f ns a question, %d of %d"
            + " ordered%n",
        program,
        nodes,
        seconds,
        own,
        heap,
        nanos,
        ordered,
        QUERIES);
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static HappensBefore build(Program program, int nodes, long seed) {
    int[] contextOf = new int[STREAMS];
    int followers =
        switch (program) {
          case NON_BLOCKING -> 0;
          case HALF_BLOCKING -> STREAMS / 2;
          case ALL_ON_LEGACY -> STREAMS;
        };
    Arrays.fill(contextOf, followers, STREAMS, -1);
    HappensBefore order =
        new HappensBefore(
            STREAMS, THREADS, 1, contextOf, new int[] {program == Program.NON_BLOCKING ? -1 : 0});
    SplittableRandom random = new SplittableRandom(seed);
    int[] recordedOn = new int[EVENTS];
    int[] recordedAt = new int[EVENTS];
    for (int i = 0; i < nodes; i++) {
      int moment = 2 * i;
      int thread = random.nextInt(THREADS);
      int stream = program == Program.ALL_ON_LEGACY ? 0 : random.nextInt(STREAMS);
      int what = random.nextInt(100);
      int event = random.nextInt(EVENTS);
      if (what == 0) {
        order.edge(order.thread(thread), moment + 1, stream, order.untilNow(stream));
        order.tellProcess(0, moment + 1, thread, moment + 1);
        continue;
      }
      order.enqueue(stream, thread, 0, moment);
      if (what <= 10) {
        recordedOn[event] = stream;
        recordedAt[event] = moment;
      } else if (what <= 15 && recordedAt[event] > 0) {
        order.edge(stream, moment, recordedOn[event], recordedAt[event]);
      }
    }
    return order;
  }

  private static int ask(HappensBefore order, int nodes, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int ordered = 0;
    for (int i = 0; i < QUERIES; i++) {
      int after = random.nextInt(nodes);
      int before = 2 * Math.max(0, after - random.nextInt(WINDOW));
      int known =
          order.known(random.nextInt(STREAMS), 2 * after, random.nextInt(STREAMS), before, true);
      ordered += known > before ? 1 : 0;
    }
    return ordered;
  }
}
