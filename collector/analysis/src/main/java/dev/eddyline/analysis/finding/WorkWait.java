package dev.eddyline.analysis.finding;

/**
 * What one {@code Work.wait()} (or a barrier) of a collective library did.
 *
 * @param kind the library's word: "wait" or "barrier"
 * @param startNs when the call began
 * @param hostNs how long the host was in it
 * @param rank rank of the process, -1 if not known
 * @param thread label of the thread
 * @param communicator name of the communicator, "" if not known
 * @param collective the collective that it waits for, in words, "" if not known
 * @param stream label of the stream that it holds, "" if it holds none or that is not known
 * @param heldHost whether the host stood still for GPU work
 * @param through what held the host: "cudaStreamSynchronize", "cudaEventQuery in a loop", "" if
 *     nothing did
 * @param heldHostNs how long that was
 */
public record WorkWait(
    String kind,
    long startNs,
    long hostNs,
    int rank,
    String thread,
    String communicator,
    String collective,
    String stream,
    boolean heldHost,
    String through,
    long heldHostNs) {}
