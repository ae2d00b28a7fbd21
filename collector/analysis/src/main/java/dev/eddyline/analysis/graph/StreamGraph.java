package dev.eddyline.analysis.graph;

import dev.eddyline.analysis.timeline.Timeline;
import java.util.Set;
import java.util.function.Consumer;

/** The stream graph of a timeline. */
public final class StreamGraph {
  private final Timeline timeline;

  private StreamGraph(Timeline timeline) {
    this.timeline = timeline;
  }

  /** Builds the graph. */
  public static StreamGraph of(Timeline timeline) {
    return new StreamGraph(timeline);
  }

  public Timeline timeline() {
    return timeline;
  }

  /**
   * Hands out edges, in the order of their later end's enqueue time. Every wait has exactly one
   * {@link EdgeKind#EVENT} edge; that of a wait of unknown source has no {@code from}.
   */
  public void edges(Set<EdgeKind> kinds, Consumer<Edge> sink) {}
}
