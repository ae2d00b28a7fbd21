package dev.eddyline.analysis.finding;

import java.util.List;

/**
 * All that an analysis says, ready to be written in any format.
 *
 * @param findings in the order to show them
 * @param latentSyncs syncs that cost nothing this time
 * @param workWaits what each {@code Work.wait()} did
 * @param notEvaluated rules that could not look
 * @param coverage what the trace can answer
 * @param steps the training steps
 * @param idleSyncs host syncs that found nothing to wait for, in order of time
 */
public record Report(
    List<Finding> findings,
    List<LatentSync> latentSyncs,
    List<WorkWait> workWaits,
    List<NotEvaluated> notEvaluated,
    Coverage coverage,
    Steps steps,
    List<Occurrence> idleSyncs) {}
