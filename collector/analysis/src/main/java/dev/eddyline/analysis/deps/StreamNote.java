package dev.eddyline.analysis.deps;

/**
 * What is known of one stream as a whole, waits by it and for it apart.
 *
 * @param party the stream
 * @param ops how many ops it ran
 * @param waits how many waits it made, NCCL's own left out
 * @param sureOfItsWaits whether the trace holds every wait that it made
 * @param waitedFor how many waits of others are known to be for it
 * @param openWaits waits of others of which it is not known for what they are
 * @param hostBlocks how often the host stood still for it
 * @param hostBlockedNs for how long in all
 * @param idleSyncs how often the host synced it and found it idle
 */
public record StreamNote(
    Party party,
    int ops,
    int waits,
    boolean sureOfItsWaits,
    int waitedFor,
    int openWaits,
    int hostBlocks,
    long hostBlockedNs,
    int idleSyncs) {}
