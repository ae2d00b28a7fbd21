package dev.eddyline.analysis.rule;

/**
 * What to report.
 *
 * @param minBlockedNs groups of calls that blocked the host for less in all are left out
 */
public record AnalysisOptions(long minBlockedNs) {
  /** Groups of calls that blocked for 20 µs and more in all. */
  public static AnalysisOptions defaults() {
    return new AnalysisOptions(20_000);
  }
}
