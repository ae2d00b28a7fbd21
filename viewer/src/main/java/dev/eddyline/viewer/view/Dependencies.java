package dev.eddyline.viewer.view;

import dev.eddyline.viewer.model.Link;
import dev.eddyline.viewer.model.Links;
import dev.eddyline.viewer.model.Selection;
import dev.eddyline.viewer.model.TraceModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Who waits for whom: the waits of each stream and the blocked calls of each thread, counted. */
public final class Dependencies {
  /** Label of what a wait of unknown source waits for. */
  public static final String UNKNOWN = "?";

  /** Label of what a wait for an event that was never recorded waits for. */
  public static final String NOTHING = "nothing";

  /**
   * One pair.
   *
   * @param waiter label of the row that waits
   * @param source label of the row it waits for
   * @param count how often
   * @param recorded how many of these the trace names both ends of
   * @param inferred how many a rule found
   * @param heldNs for how long in all the waiting op or call began, or returned, after its launch
   *     or its own begin while what it waited for still ran
   * @param example what to select to see the longest one
   */
  public record Pair(
      String waiter,
      String source,
      int count,
      int recorded,
      int inferred,
      long heldNs,
      Selection example) {}

  private record Key(int waiter, int source, String word) {}

  private static final class Counts {
    private int count;
    private int recorded;
    private int inferred;
    private long heldNs;
    private long longestNs = -1;
    private Selection example = Selection.NONE;
  }

  private Dependencies() {}

  /** All pairs, by waiter and then the most frequent first. */
  public static List<Pair> of(TraceModel model) {
    Map<Key, Counts> all = new LinkedHashMap<>();
    Links links = model.links();
    for (int i = 0; i < links.size(); i++) {
      Link link = links.link(i);
      String word = link.style() == Link.Style.MISSING ? NOTHING : link.isStub() ? UNKNOWN : "";
      Counts counts =
          all.computeIfAbsent(new Key(link.toTrack(), link.fromTrack(), word), k -> new Counts());
      counts.count++;
      counts.recorded += link.style() == Link.Style.RECORDED ? 1 : 0;
      counts.inferred += link.style() == Link.Style.INFERRED && !link.isStub() ? 1 : 0;
      long held = link.isStub() ? 0 : heldNs(model, i, link);
      counts.heldNs += held;
      if (held > counts.longestNs) {
        counts.longestNs = held;
        counts.example = example(links, i);
      }
    }
    List<Pair> pairs = new ArrayList<>();
    all.forEach((key, counts) -> pairs.add(pair(model, key, counts)));
    pairs.sort(
        Comparator.comparing(Pair::waiter)
            .thenComparing(pair -> -pair.count())
            .thenComparing(Pair::source));
    return pairs;
  }

  private static Pair pair(TraceModel model, Key key, Counts counts) {
    return new Pair(
        label(model, key.waiter()),
        key.word().isEmpty() ? label(model, key.source()) : key.word(),
        counts.count,
        counts.recorded,
        counts.inferred,
        counts.heldNs,
        counts.example);
  }

  private static String label(TraceModel model, int track) {
    if (track < 0) {
      return UNKNOWN;
    }
    var row = model.tracks().get(track);
    String rank = row.parent() < 0 ? "" : model.tracks().get(row.parent()).label() + " › ";
    return rank + row.label();
  }

  /** From when the waiter could have gone on to when what it waited for ended. */
  private static long heldNs(TraceModel model, int i, Link link) {
    Links links = model.links();
    if (links.targetCall(i) >= 0) {
      return model.timeline().calls().at(links.targetCall(i)).duration();
    }
    int target = links.targetOp(i);
    int launch = target < 0 ? -1 : model.graph().ops().callOf(target);
    if (launch < 0) {
      return 0;
    }
    long ready = model.timeline().calls().at(launch).start();
    int index = model.graph().ops().indexOf(target);
    if (index > 0) {
      int stream = model.timeline().ops().at(target).stream();
      int before = model.graph().ops().op(stream, index - 1);
      ready = Math.max(ready, model.timeline().ops().at(before).end());
    }
    return Math.max(0, link.fromNs() - ready);
  }

  private static Selection example(Links links, int i) {
    if (links.targetCall(i) >= 0) {
      return new Selection.OfCall(links.targetCall(i));
    }
    return links.targetOp(i) >= 0 ? new Selection.OfOp(links.targetOp(i)) : Selection.NONE;
  }
}
