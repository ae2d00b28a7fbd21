package dev.eddyline.device.sim;

import org.jspecify.annotations.Nullable;

/**
 * What a launch shall do.
 *
 * @param name id of its name
 * @param hostCost the call's own part, in nanoseconds
 * @param nanos how long it takes on an idle device
 * @param demand multiprocessors, or which copy engine
 * @param facts what a trace says of it
 * @param accesses what it reads and writes
 * @param body what it computes
 * @param blocks whether the call waits for its end
 */
record OpWork(
    int name,
    long hostCost,
    long nanos,
    int demand,
    OpFacts facts,
    Accesses accesses,
    @Nullable Runnable body,
    boolean blocks) {}
