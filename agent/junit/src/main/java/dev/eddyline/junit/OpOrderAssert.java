package dev.eddyline.junit;

/** Second and last part of {@code op(x).runsAfter(y).inEveryStep()}. */
public final class OpOrderAssert {
  private final StreamTraceAssert trace;
  private final OpSelector after;
  private final OpSelector before;

  OpOrderAssert(StreamTraceAssert trace, OpSelector after, OpSelector before) {
    this.trace = trace;
    this.after = after;
    this.before = before;
  }

  /**
   * In every step that runs the op. Where a step has as many of one as of the other they belong
   * together in the order of their launches; else an op belongs to the latest that was launched
   * before it in its step.
   */
  public StreamTraceAssert inEveryStep() {
    return trace.check(new OpOrder(after, before, true));
  }

  /** The same over the whole trace of a rank, whatever the steps. */
  public StreamTraceAssert everyTime() {
    return trace.check(new OpOrder(after, before, false));
  }
}
