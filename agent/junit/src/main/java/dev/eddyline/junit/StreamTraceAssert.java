package dev.eddyline.junit;

/**
 * Assertions on a trace. One that does not hold throws a {@link StreamAssertionError}; one that the
 * trace cannot answer aborts the test ({@link org.opentest4j.TestAbortedException}), for that is
 * neither pass nor fail of the code, unless {@link #strict} was called. Of a trace of several
 * schedules each one is looked at, and one that differs from the others fails.
 *
 * <p>Streams are named by their name, their id or their role; {@code "nccl"} are those that ran
 * collectives.
 */
public final class StreamTraceAssert {
  private final StreamTrace trace;
  private final boolean strict;

  StreamTraceAssert(StreamTrace trace, boolean strict) {
    this.trace = trace;
    this.strict = strict;
  }

  /** From here on a question that the trace cannot answer fails. */
  public StreamTraceAssert strict() {
    return new StreamTraceAssert(trace, true);
  }

  /**
   * No host sync waited for a collective, through no path, and none could have on another day: a
   * sync that found its stream idle counts too if a collective stands before it. A device sync at
   * the end of the trace does not count.
   */
  public StreamTraceAssert hostNeverWaitsForCollectives() {
    return check(new HostNeverWaits());
  }

  /** At most so many calls of a rank held the host for GPU work; the end of the trace is free. */
  public StreamTraceAssert hasAtMostHostSyncs(int most) {
    return check(new AtMostHostSyncs(most, false));
  }

  /** In each step at most so many calls held the host for GPU work. */
  public StreamTraceAssert hasAtMostHostSyncsPerStep(int most) {
    return check(new AtMostHostSyncs(most, true));
  }

  /**
   * Something waits for every collective: another stream, the host, or later work of its stream.
   * Which op uses the result no trace says yet; name it where that matters: {@link
   * #everyCollectiveIsAwaitedBefore}.
   */
  public StreamTraceAssert everyCollectiveIsAwaited() {
    return check(new CollectivesAwaited());
  }

  /**
   * Every collective was awaited before its result was used.
   *
   * @param user the op that uses it; each must be ordered after the latest collective launched
   *     before it
   */
  public StreamTraceAssert everyCollectiveIsAwaitedBefore(OpSelector user) {
    return check(new CollectivesAwaited())
        .check(new OpOrder(user, StreamAssertions.anyCollective(), false));
  }

  /**
   * While a stream is busy another one of its rank is busy too, for a share of that time.
   *
   * @param least from 0 to 1
   */
  public StreamTraceAssert streamOverlaps(String stream, String other, double least) {
    return check(new Overlap(stream, other, least));
  }

  /** What a stream is given never waits for what another one was given, through no chain. */
  public StreamTraceAssert streamNeverDependsOn(String stream, String other) {
    return check(new NeverDependsOn(stream, other));
  }

  /** Begins an assertion on the order of an op, by its kernel's, operator's or range's name. */
  public OpAssert op(String name) {
    return new OpAssert(this, OpSelector.named(name));
  }

  /** Begins an assertion on the order of ops. */
  public OpAssert op(OpSelector selector) {
    return new OpAssert(this, selector);
  }

  StreamTraceAssert check(Check check) {
    new Judge(trace, strict).judge(check);
    return this;
  }
}
