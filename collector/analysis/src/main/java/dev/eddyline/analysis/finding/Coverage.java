package dev.eddyline.analysis.finding;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What share of the facts that the questions need is in the trace.
 *
 * @param waits calls that made a stream wait
 * @param waitsRecorded of these, with the record named by the source
 * @param waitsInferred of these, with the record or the stream found by a rule
 * @param waitsUnknown of these, with unknown source
 * @param waitsEmpty of these, waiting for nothing
 * @param waitsNcclInternal of these, made by NCCL itself; also counted as inferred or unknown
 * @param waitsNoStream of these, on a stream that the source does not name
 * @param hostSyncs host sync calls
 * @param hostSyncsWithStream of these, with the stream, event or device that they waited for
 * @param polls queries
 * @param graphLaunches launches of CUDA graphs
 * @param graphOps ops inside CUDA graphs
 * @param droppedRecords records that the source says it lost, null where it does not say
 * @param ranksLoaded ranks in the files
 * @param ranksExpected ranks of the job, -1 if not known
 * @param hasAddresses whether memory addresses are there
 * @param answers a line per question of the design, in order
 */
public record Coverage(
    int waits,
    int waitsRecorded,
    int waitsInferred,
    int waitsUnknown,
    int waitsEmpty,
    int waitsNcclInternal,
    int waitsNoStream,
    int hostSyncs,
    int hostSyncsWithStream,
    int polls,
    int graphLaunches,
    int graphOps,
    @Nullable Long droppedRecords,
    int ranksLoaded,
    int ranksExpected,
    boolean hasAddresses,
    List<Answer> answers) {

  /** Whether a question can be answered. */
  public enum Verdict {
    YES,
    PARTLY,
    NO
  }

  /**
   * Whether one question can be answered from this trace.
   *
   * @param question the question, short: "host blocking"
   * @param verdict yes, partly, no
   * @param value what stands in the table: "yes", "3 of 21", "NO"
   * @param detail why, in words; may be ""
   */
  public record Answer(String question, Verdict verdict, String value, String detail) {}

  /**
   * Whether it cannot be said at all which stream waits for which, so that this comes before the
   * findings.
   */
  public boolean standsFirst() {
    return waits > 0 && waitsUnknown == waits && waitsNoStream == waits;
  }
}
