package dev.eddyline.junit;

/** First part of {@code op(x).runsAfter(y).inEveryStep()}. */
public final class OpAssert {
  private final StreamTraceAssert trace;
  private final OpSelector op;

  OpAssert(StreamTraceAssert trace, OpSelector op) {
    this.trace = trace;
    this.op = op;
  }

  /** Only those on a stream, by its name, id or role. */
  public OpAssert onStream(String nameOrId) {
    return new OpAssert(trace, op.onStream(nameOrId));
  }

  /** What it must be ordered after; say next where. */
  public OpOrderAssert runsAfter(OpSelector other) {
    return new OpOrderAssert(trace, op, other);
  }

  /** The op of a name that it must be ordered after; say next where. */
  public OpOrderAssert runsAfter(String other) {
    return runsAfter(OpSelector.named(other));
  }
}
