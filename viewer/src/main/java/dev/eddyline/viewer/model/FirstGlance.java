package dev.eddyline.viewer.model;

import java.util.Set;
import java.util.TreeSet;

/** What a file opens on: its first finding's first occurrence, its evidence with a margin. */
public final class FirstGlance {
  private static final double MARGIN = 0.05;
  private static final long LEAST_NS = 20_000;

  private FirstGlance() {}

  /**
   * The first finding that is not merely expected, as at the end of a program; else nothing. One
   * about time of the GPU alone has no chain to show, so it comes after all others.
   */
  public static Selection selection(TraceModel model) {
    var findings = model.report().findings();
    int other = -1;
    for (int i = 0; i < findings.size(); i++) {
      if (findings.get(i).expected() || findings.get(i).occurrences().isEmpty()) {
        continue;
      }
      if (findings.get(i).idleNs() == null) {
        return new Selection.OfFinding(i, 0);
      }
      other = other < 0 ? i : other;
    }
    return other < 0 ? Selection.NONE : new Selection.OfFinding(other, 0);
  }

  /** The view of a chain's evidence; the whole trace where there is none. */
  public static Viewport viewport(TraceModel model, Chain chain) {
    Span evidence = chain.evidence();
    return evidence == null
        ? Viewport.all(model.whole())
        : Viewport.all(model.whole()).fitted(evidence.widened(MARGIN, LEAST_NS));
  }

  /**
   * The rows of a chain that have to be pinned so that all of it is in sight; none where it is
   * anyway.
   *
   * @param windowHeight room for rows, in pixels
   */
  public static Set<Integer> pins(TraceModel model, Chain chain, Rows rows, double windowHeight) {
    Set<Integer> tracks = tracks(model, chain);
    boolean inSight =
        tracks.stream()
            .allMatch(
                track -> {
                  int place = rows.placeOf(track);
                  return place >= 0 && rows.top(place) + rows.height(place) <= windowHeight;
                });
    return inSight ? Set.of() : tracks;
  }

  /** The rows that a chain runs through. */
  public static Set<Integer> tracks(TraceModel model, Chain chain) {
    Set<Integer> tracks = new TreeSet<>();
    for (int call : chain.calls()) {
      tracks.add(model.index().ofCalls(model.timeline().calls().at(call).thread()));
    }
    for (int op : chain.ops()) {
      tracks.add(model.index().ofStream(model.timeline().ops().at(op).stream()));
    }
    for (Link link : chain.links()) {
      tracks.add(link.fromTrack());
      tracks.add(link.toTrack());
    }
    tracks.remove(-1);
    return tracks;
  }
}
