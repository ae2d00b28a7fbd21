package dev.eddyline.analysis.deps;

import java.util.ArrayList;
import java.util.List;

/** What is said about the streams of a trace as a whole. */
final class Sentences {
  private static final int SMALL = 13;
  private static final List<String> NUMBERS =
      List.of(
          "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
          "eleven", "twelve");

  private Sentences() {}

  /** "a", "a and b", "a, b and c". */
  static String list(List<String> items) {
    int n = items.size();
    return n < 2
        ? String.join("", items)
        : String.join(", ", items.subList(0, n - 1)) + " and " + items.get(n - 1);
  }

  /** "once", "twice", "three times". */
  static String times(int n) {
    return switch (n) {
      case 1 -> "once";
      case 2 -> "twice";
      default -> (n < SMALL ? NUMBERS.get(n) : Integer.toString(n)) + " times";
    };
  }

  /** All sentences, in the order to show them. */
  static List<String> of(StreamDependencies deps) {
    List<String> said = new ArrayList<>();
    List<String> notShown = new ArrayList<>();
    for (StreamNote note : deps.notes()) {
      if (note.waits() == 0 && note.sureOfItsWaits()) {
        said.add(waitsForNothing(note));
      } else if (note.waits() == 0) {
        notShown.add(note.party().label());
      }
    }
    if (!notShown.isEmpty()) {
      said.add(
          "The trace shows no wait by " + list(notShown) + "; whether there was one is not known.");
    }
    for (StreamNote note : deps.notes()) {
      String host = host(note);
      if (!host.isEmpty()) {
        said.add(host);
      }
    }
    for (IndirectDependency indirect : deps.indirect()) {
      said.add(indirect(indirect));
    }
    for (StreamDependencies.SharedRole shared : deps.shared()) {
      said.add(shared(shared, deps.stepCount()) + ".");
    }
    if (deps.waits() == 0) {
      said.add("No stream was made to wait in this trace.");
    } else {
      String missing = deps.recorded() < deps.waits() ? "; to get them: docs/record.md" : "";
      said.add(
          deps.recorded()
              + " of "
              + deps.waits()
              + (deps.waits() == 1 ? " wait is" : " waits are")
              + " recorded with their event"
              + missing);
    }
    return said;
  }

  private static String waitsForNothing(StreamNote note) {
    String own = note.party().title() + " waits for nothing (sure).";
    if (note.waitedFor() > 0) {
      return own;
    }
    if (note.openWaits() == 0) {
      return own + " No other stream waits for it (sure).";
    }
    return own
        + " Whether another stream waits for "
        + note.party().label()
        + ": not known, "
        + (note.openWaits() == 1 ? "1 wait is open." : note.openWaits() + " waits are open.");
  }

  private static String host(StreamNote note) {
    String label = note.party().label();
    if (note.hostBlocks() == 0) {
      return note.idleSyncs() == 0
          ? ""
          : "The host synced " + label + " " + times(note.idleSyncs()) + ", and found it idle.";
    }
    return "The host waited for "
        + label
        + " "
        + times(note.hostBlocks())
        + "."
        + (note.idleSyncs() == 0
            ? ""
            : " It synced it " + times(note.idleSyncs()) + " more, and found it idle.");
  }

  static String indirect(IndirectDependency indirect) {
    String order = indirect.later().label() + " comes after " + indirect.earlier().label();
    return switch (indirect.cause()) {
      case COMMUNICATOR ->
          order
              + " ("
              + times(indirect.times())
              + ") without a wait for it: both use communicator "
              + indirect.through()
              + ", which runs its collectives in the order of their calls.";
      case LEGACY_DEFAULT ->
          order
              + " ("
              + times(indirect.times())
              + ") without a wait for it: the legacy default stream "
              + indirect.through()
              + " orders all blocking streams.";
    };
  }

  /** "callback and fragment-1 were one stream in 2 of 64 steps". */
  static String shared(StreamDependencies.SharedRole shared, int steps) {
    String one = shared.second() + " and " + shared.first() + " were one stream";
    return shared.steps() < 0 || steps == 0
        ? one
        : one + " in " + shared.steps() + " of " + steps + " steps";
  }
}
