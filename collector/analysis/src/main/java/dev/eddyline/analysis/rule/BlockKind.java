package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.blame.HostBlock.Kind;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.RecordType.Op;
import java.util.Set;

/** Which rule a blocked call belongs to: exactly one. */
final class BlockKind {
  private static final Set<String> VALUE_READS =
      Set.of("aten::item", "aten::_local_scalar_dense", "aten::is_nonzero", "aten::nonzero");

  private BlockKind() {}

  /** Id of the rule that reports a blocked call. */
  static String ruleOf(JudgedBlock judged, Facts facts) {
    if (judged.block().endOfTrace()) {
      return ExplicitSync.ID;
    }
    return switch (judged.block().kind()) {
      case POLL_LOOP -> PollLoop.ID;
      case QUEUE_FULL -> LaunchQueueFull.ID;
      case PAGEABLE_COPY -> PageableCopy.ID;
      case ALLOCATION -> AllocationSync.ID;
      case SYNCHRONOUS_COPY, IMPLICIT ->
          judged.collectives().isEmpty() ? ImplicitSync.ID : SyncOnCollective.ID;
      case STREAM_SYNC, EVENT_SYNC, DEVICE_SYNC -> ruleOfSync(judged, facts);
    };
  }

  private static String ruleOfSync(JudgedBlock judged, Facts facts) {
    if (judged.block().kind() == Kind.EVENT_SYNC && RateLimiter.isOne(judged, facts)) {
      return RateLimiter.ID;
    }
    if (!judged.collectives().isEmpty()) {
      return SyncOnCollective.ID;
    }
    return SharedStream.isOtherRolesWork(judged, facts) ? SharedStream.ID : ExplicitSync.ID;
  }

  /** Whether the host asked for a value: the op that it waited for copies to it, or says so. */
  static boolean isValueRead(JudgedBlock judged, Facts facts) {
    boolean saysSo =
        judged.occurrence().where().stream().anyMatch(place -> VALUE_READS.contains(place.name()));
    return saysSo && isCopyToHost(judged.block().releaseOp(), facts.timeline());
  }

  private static boolean isCopyToHost(int row, Timeline timeline) {
    OpView op = timeline.ops().at(row);
    return op.kind() == Op.KIND_COPY
        && (op.dstMemory() == Op.MEMORY_PAGEABLE || op.dstMemory() == Op.MEMORY_PINNED);
  }

  /**
   * Whether a sync stands right behind a pageable copy on the same stream: what frameworks do for a
   * copy that shall not be asynchronous.
   */
  static boolean followsPageableCopy(JudgedBlock judged, Facts facts) {
    StreamGraph graph = facts.graph();
    OpView op = facts.timeline().ops().at(judged.block().releaseOp());
    return op.isPageableCopy() && graph.ops().callOf(op.row()) >= 0;
  }
}
