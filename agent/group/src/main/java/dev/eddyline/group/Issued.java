package dev.eddyline.group;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Collectives that one group launch carries out, with their numbers.
 *
 * @param calls at least one
 * @param sequences the number of each
 */
record Issued(List<Call> calls, long[] sequences) {
  private static final int MOST_NAMED = 3;

  static Issued of(Membership membership, List<Call> calls) {
    long[] sequences = new long[calls.size()];
    for (int i = 0; i < sequences.length; i++) {
      sequences[i] = membership.nextSequence(calls.get(i));
    }
    return new Issued(List.copyOf(calls), sequences);
  }

  String word() {
    return calls.get(0).kind().word();
  }

  long sequence() {
    return sequences[0];
  }

  /** Whether another rank takes part. */
  boolean concerns(int rank) {
    return calls.stream().anyMatch(call -> !call.kind().isPointToPoint() || call.peer() == rank);
  }

  /** "all-reduce #3 (1024 × f32)", several joined by "and". */
  String describe() {
    if (calls.size() == 1) {
      return calls.get(0).describe(sequences[0]);
    }
    String first =
        IntStream.range(0, Math.min(calls.size(), MOST_NAMED))
            .mapToObj(i -> calls.get(i).describe(sequences[i]))
            .collect(Collectors.joining(", "));
    int left = calls.size() - MOST_NAMED;
    return "the group of " + first + (left > 0 ? " and " + left + " more" : "");
  }
}
