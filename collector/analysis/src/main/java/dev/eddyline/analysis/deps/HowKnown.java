package dev.eddyline.analysis.deps;

import dev.eddyline.analysis.deps.WaitFact.State;
import dev.eddyline.analysis.graph.BindRule;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Says in words how it is known what the waits of a row wait for. */
final class HowKnown {
  private static final int MOST_EVENTS = 6;
  private static final int MOST_GAPS = 3;

  private HowKnown() {}

  static String of(Dependency row) {
    return switch (row.state()) {
      case RECORDED -> "recorded" + madeBy(row);
      case LIKELY -> "likely: " + likely(row);
      case EMPTY -> "recorded: the event had never been recorded" + madeBy(row);
      case CAPTURED -> "made while the stream captured: no live wait";
      case UNKNOWN -> unknown(row);
    };
  }

  private static String madeBy(Dependency row) {
    Set<String> calls = new LinkedHashSet<>();
    row.waits().forEach(wait -> calls.add(wait.call()));
    calls.remove("");
    calls.remove("cudaStreamWaitEvent");
    return calls.isEmpty() ? "" : ", by " + String.join(", ", calls);
  }

  private static String likely(Dependency row) {
    if (row.ncclInternal()) {
      return events(row, "event ", "events ") + "inside NCCL's launch (folded; --all)";
    }
    WaitFact first = row.waits().get(0);
    String group = first.communicator().isEmpty() ? "" : " of " + first.communicator();
    String what =
        switch (first.rule()) {
          case C10D_WORK -> "inside Work.wait()" + group;
          case C10D_WORK_STREAM ->
              "inside Work.wait()" + group + ", for one of several collectives";
          case C10D_ENQUEUE -> "before each collective" + group + ": it waits for the caller";
          case C10D_FUTURE -> "right after the collective's call: its future's continuation";
          case RECORD_THEN_WAIT -> "right behind a record of the same thread";
          case EVENT_ID -> "the latest earlier record of the same event";
          case NAMED_STREAM -> "the trace names the stream, not the record";
          case NCCL_LAUNCH -> "inside NCCL's launch";
          case SYNC_ID, RECORD_CORRELATION -> "the record is named, its stream is not";
          case NONE -> "";
        };
    return what + resumed(row);
  }

  /** "; went on 1.5 and 1.6 us after #0 and #1 had ended". */
  private static String resumed(Dependency row) {
    List<String> gaps = new ArrayList<>();
    List<String> ended = new ArrayList<>();
    int all = 0;
    for (WaitFact wait : row.waits()) {
      if (wait.resumedNs() < 0) {
        continue;
      }
      all++;
      if (gaps.size() < MOST_GAPS) {
        gaps.add(String.format(Locale.ROOT, "%.1f", wait.resumedNs() / 1e3));
        if (!wait.collective().isEmpty()) {
          ended.add(wait.collective());
        }
      }
    }
    if (gaps.isEmpty()) {
      return "";
    }
    String more = all > gaps.size() ? ", .." : "";
    String after =
        ended.size() == gaps.size()
            ? Sentences.list(ended) + " had ended"
            : row.target().label() + "'s op had ended";
    return "; went on " + Sentences.list(gaps) + more + " us after " + after;
  }

  private static String unknown(Dependency row) {
    if (row.waiter().kind() == Party.Kind.UNSEEN) {
      return row.waiter().equals(Party.UNSEEN)
          ? "the calls are there, their rows are not"
          : "the trace names neither the stream nor the record";
    }
    boolean bound = row.waits().stream().anyMatch(wait -> wait.recordCorrelation() >= 0);
    String events = events(row, "event ", "events ");
    boolean enqueue = row.waits().stream().allMatch(wait -> wait.rule() == BindRule.C10D_ENQUEUE);
    if (enqueue) {
      return events + "before each collective";
    }
    return events
        + (bound
            ? "the record is likely known, its stream is not"
            : "the trace does not hold their records");
  }

  /** "event 27, ", "events 44, 47, 50: ". */
  private static String events(Dependency row, String one, String many) {
    Set<Long> ids = new LinkedHashSet<>();
    row.waits().stream().map(WaitFact::event).filter(id -> id >= 0).forEach(ids::add);
    if (ids.isEmpty()) {
      return "";
    }
    List<String> shown = new ArrayList<>();
    ids.stream().limit(MOST_EVENTS).forEach(id -> shown.add(Long.toString(id)));
    String list = String.join(", ", shown) + (ids.size() > MOST_EVENTS ? ", .." : "");
    return ids.size() == 1
        ? one + list + ", "
        : many + list + (row.state() == State.UNKNOWN ? ": " : ", ");
  }
}
