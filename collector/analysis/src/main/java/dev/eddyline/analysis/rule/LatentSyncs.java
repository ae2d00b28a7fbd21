package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.blame.HostBlock;
import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.LatentSync;
import dev.eddyline.analysis.graph.Reachability;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.OpView;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds syncs that did not wait for a collective this time, but behind which one stands in the
 * graph, and that their thread did not know to be done already.
 */
final class LatentSyncs {
  private static final int MOST_NAMED = 8;

  private LatentSyncs() {}

  static List<LatentSync> find(Facts facts) {
    List<LatentSync> found = new ArrayList<>();
    for (List<JudgedBlock> blocks : List.of(facts.blocked(), facts.idle())) {
      for (JudgedBlock judged : blocks) {
        LatentSync latent = latent(judged, facts);
        if (latent != null) {
          found.add(latent);
        }
      }
    }
    found.sort(java.util.Comparator.comparingLong(l -> l.occurrence().startNs()));
    return found;
  }

  private static @org.jspecify.annotations.Nullable LatentSync latent(
      JudgedBlock judged, Facts facts) {
    HostBlock block = judged.block();
    boolean sync =
        switch (block.kind()) {
          case STREAM_SYNC, EVENT_SYNC, DEVICE_SYNC -> true;
          default -> false;
        };
    if (!sync || block.endOfTrace() || !judged.collectives().isEmpty()) {
      return null;
    }
    List<Integer> ops = newlyCovered(block.call(), facts);
    if (ops.isEmpty()) {
      return null;
    }
    List<String> names = ops.stream().map(op -> OpWords.collective(op, facts)).toList();
    OpView op = facts.timeline().ops();
    List<Long> correlations = ops.stream().map(row -> op.at(row).correlation()).toList();
    boolean certain = facts.graph().bindings().size() == 0 || !hasInferred(facts.graph());
    return new LatentSync(
        judged.occurrence(), names, correlations, certain ? Confidence.CERTAIN : Confidence.LIKELY);
  }

  private static boolean hasInferred(StreamGraph graph) {
    for (int i = 0; i < graph.bindings().size(); i++) {
      if (!graph.bindings().isUnknown(i) && !graph.bindings().rule(i).isRecorded()) {
        return true;
      }
    }
    return false;
  }

  /** Collectives that the sync covers and that its thread had not known to be done, last ones. */
  private static List<Integer> newlyCovered(int call, Facts facts) {
    StreamGraph graph = facts.graph();
    OpView op = facts.timeline().ops();
    Reachability reachability = facts.reachability();
    int thread = facts.timeline().calls().at(call).thread();
    List<Integer> found = new ArrayList<>();
    for (int stream = 0; stream < facts.timeline().streams().size(); stream++) {
      if (!graph.collectives().ranCollective(stream)) {
        continue;
      }
      int known = reachability.knownToHost(stream, thread, call, false);
      for (int p = reachability.knownAfter(stream, call) - 1;
          p >= known && found.size() < MOST_NAMED;
          p--) {
        int row = graph.ops().op(stream, p);
        if (graph.collectives().isCollective(op.at(row))) {
          found.add(row);
        }
      }
    }
    java.util.Collections.sort(found);
    return found;
  }
}
