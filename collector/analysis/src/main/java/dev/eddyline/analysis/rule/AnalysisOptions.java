package dev.eddyline.analysis.rule;

/**
 * What to report.
 *
 * @param minBlockedNs occurrences that blocked the host for less are left out
 */
public record AnalysisOptions(long minBlockedNs) {
  /** Everything that blocked for 50 µs and more. */
  public static AnalysisOptions defaults() {
    return new AnalysisOptions(50_000);
  }
}
