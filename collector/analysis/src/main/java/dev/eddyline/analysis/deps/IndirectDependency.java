package dev.eddyline.analysis.deps;

/**
 * A stream comes after another one without a wait for it.
 *
 * @param later the stream that comes after
 * @param earlier the stream that comes before
 * @param cause why
 * @param through name of the communicator, or of the legacy default stream
 * @param times how often
 */
public record IndirectDependency(
    Party later, Party earlier, Cause cause, String through, int times) {
  /** Why one stream comes after another. */
  public enum Cause {
    /** Both use one communicator, whose collectives run in the order of their calls. */
    COMMUNICATOR,
    /** The legacy default stream orders the blocking streams of its context. */
    LEGACY_DEFAULT;

    /** The word in reports. */
    public String word() {
      return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
  }
}
