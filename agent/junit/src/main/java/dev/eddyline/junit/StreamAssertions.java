package dev.eddyline.junit;

/** Entry points of assertions on streams, for static import. */
public final class StreamAssertions {
  private StreamAssertions() {}

  /** Begins assertions on a trace. */
  public static StreamTraceAssert assertThat(StreamTrace trace) {
    return new StreamTraceAssert(trace, trace.isStrict());
  }

  /** Ops by the name of their kernel, or of the operator or range that launched them. */
  public static OpSelector op(String name) {
    return OpSelector.named(name);
  }

  /**
   * Collectives of a kind.
   *
   * @param kind "allreduce", "all_gather", "reduce-scatter": the library's word or ours
   */
  public static OpSelector collective(String kind) {
    return OpSelector.collectiveOf(kind);
  }

  /** Collectives of all kinds. */
  public static OpSelector anyCollective() {
    return OpSelector.collectiveOf("");
  }
}
