package dev.eddyline.viewer.view;

import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.RangeView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.viewer.chart.ChartInput;
import dev.eddyline.viewer.model.Selection;
import dev.eddyline.viewer.model.TraceModel;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Locale;
import java.util.function.IntPredicate;

/**
 * The slices whose names hold some words, in order of time. Names are compared once each, not once
 * per slice. Immutable; made away from the thread that draws where traces are large.
 */
public final class Search implements ChartInput.Matcher {
  private static final int OP = 0;
  private static final int CALL = 1;
  private static final int RANGE = 2;
  private static final int KIND_BITS = 2;

  private final String words;
  private final BitSet names;
  private final Timeline timeline;

  private final boolean[] collectiveOps;
  private final long[] times;
  private final long[] hits;

  private Search(TraceModel model, String words) {

    this.timeline = model.timeline();
    this.words = words;
    String lower = words.toLowerCase(Locale.ROOT);
    names = new BitSet();
    for (int i = 0; i < timeline.strings().size(); i++) {
      names.set(i, timeline.strings().get(i).toLowerCase(Locale.ROOT).contains(lower));
    }
    OpView op = timeline.ops();
    collectiveOps = new boolean[op.size()];
    for (int i = 0; i < collectiveOps.length; i++) {
      boolean collective = model.graph().collectives().isCollective(op.at(i));
      collectiveOps[i] =
          collective && model.names().of(op).toLowerCase(Locale.ROOT).contains(lower);
    }
    long[] found = new long[1024];
    long[] when = new long[1024];
    int count = 0;
    CallView call = timeline.calls();
    RangeView range = timeline.ranges();
    int[] sizes = {op.size(), call.size(), range.size()};
    for (int kind = OP; kind <= RANGE; kind++) {
      for (int row = 0; row < sizes[kind]; row++) {
        if (matches(kind, row, op, call, range)) {
          if (count == found.length) {
            found = Arrays.copyOf(found, count * 2);
            when = Arrays.copyOf(when, count * 2);
          }
          when[count] = kind == OP ? op.start() : kind == CALL ? call.start() : range.start();
          found[count++] = (long) row << KIND_BITS | kind;
        }
      }
    }
    long[] unsorted = found;
    long[] unsortedTimes = when;
    Integer[] order = new Integer[count];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (a, b) -> Long.compare(unsortedTimes[a], unsortedTimes[b]));
    hits = new long[count];
    times = new long[count];
    for (int i = 0; i < count; i++) {
      hits[i] = unsorted[order[i]];
      times[i] = unsortedTimes[order[i]];
    }
  }

  /** Searches; words must not be empty. */
  public static Search of(TraceModel model, String words) {
    return new Search(model, words);
  }

  private boolean matches(int kind, int row, OpView op, CallView call, RangeView range) {
    return switch (kind) {
      case OP -> names.get(op.at(row).nameId()) || collectiveOps[row];
      case CALL -> names.get(call.at(row).nameId());
      default -> names.get(range.at(row).nameId());
    };
  }

  /** What was searched for. */
  public String words() {
    return words;
  }

  /** How many slices match. */
  public int size() {
    return hits.length;
  }

  /** The hit with a number, from 0. */
  public Selection hit(int number) {
    int row = (int) (hits[number] >> KIND_BITS);
    return switch ((int) (hits[number] & 3)) {
      case OP -> new Selection.OfOp(row);
      case CALL -> new Selection.OfCall(row);
      default -> new Selection.OfRange(row);
    };
  }

  /** The first hit that begins at or after a time; the first of all where there is none. */
  public int firstFrom(long timeNs) {
    int at = Arrays.binarySearch(times, timeNs);
    int place = at >= 0 ? at : -at - 1;
    return place < times.length ? place : 0;
  }

  @Override
  public IntPredicate ops() {
    OpView op = timeline.ops();
    return row -> collectiveOps[row] || names.get(op.at(row).nameId());
  }

  @Override
  public IntPredicate calls() {
    CallView call = timeline.calls();
    return row -> names.get(call.at(row).nameId());
  }

  @Override
  public IntPredicate ranges() {
    RangeView range = timeline.ranges();
    return row -> names.get(range.at(row).nameId());
  }
}
