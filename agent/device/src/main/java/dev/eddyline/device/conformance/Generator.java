package dev.eddyline.device.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes programs by seed; the same seed makes the same program for ever. */
final class Generator {
  private static final int FEWEST = 6;
  private static final int MOST_MORE = 4;
  private static final int MOST_WORK = 5;
  private static final List<String> STREAMS = List.of("n1", "n2", "b1", "b2", "L", "T", "h1");
  private static final List<String> EVENTS = List.of("e1", "e2");
  private static final List<String> COPIES =
      List.of("d2d", "h2d-pinned", "d2h-pinned", "h2d-pageable", "d2h-pageable");

  private final Random random;
  private final List<String> streams = new ArrayList<>();
  private int work;

  private Generator(long seed) {
    // The one generator whose numbers are part of its contract.
    random = new Random(seed);
    // Three streams of a program meet more often than seven would.
    List<String> left = new ArrayList<>(STREAMS);
    for (int i = 0; i < 3; i++) {
      streams.add(left.remove(random.nextInt(left.size())));
    }
  }

  static StreamProgram program(long seed) {
    Generator generator = new Generator(seed);
    int length = FEWEST + generator.random.nextInt(MOST_MORE);
    List<String> steps = new ArrayList<>();
    while (steps.size() < length) {
      steps.add(generator.step());
    }
    // What the last waits order is seen only by work behind them.
    steps.add("kernel " + generator.streams.get(0));
    steps.add("kernel " + generator.streams.get(1));
    return StreamProgram.parse("seed-" + seed + ": " + String.join("; ", steps));
  }

  private String pick(List<String> from) {
    return from.get(random.nextInt(from.size()));
  }

  private String step() {
    int draw = random.nextInt(100);
    if (work >= MOST_WORK && draw < 50) {
      draw = 50 + draw;
    }
    if (draw < 50) {
      work++;
    }
    if (draw < 32) {
      return "kernel " + pick(streams);
    } else if (draw < 42) {
      return "copy " + pick(streams) + " " + pick(COPIES);
    } else if (draw < 46) {
      return "fill " + pick(streams) + " " + pick(List.of("device", "pinned"));
    } else if (draw < 50) {
      return "host " + pick(streams);
    } else if (draw < 68) {
      return "record " + pick(EVENTS) + " " + pick(streams);
    } else if (draw < 86) {
      return "wait " + pick(streams) + " " + pick(EVENTS);
    } else if (draw < 92) {
      return "query " + pick(streams);
    } else if (draw < 96) {
      return "event-query " + pick(EVENTS);
    } else if (draw < 98) {
      return "event-sync " + pick(EVENTS);
    }
    return "sync " + pick(streams);
  }
}
