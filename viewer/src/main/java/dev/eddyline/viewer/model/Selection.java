package dev.eddyline.viewer.model;

/** What is selected. */
public sealed interface Selection {
  /** Nothing. */
  record None() implements Selection {}

  /**
   * One occurrence of a finding.
   *
   * @param finding its place in the report, from 0
   * @param occurrence which of its occurrences, from 0
   */
  record OfFinding(int finding, int occurrence) implements Selection {}

  /**
   * A call.
   *
   * @param row its row in the table of calls
   */
  record OfCall(int row) implements Selection {}

  /**
   * An op.
   *
   * @param row its row in the table of ops
   */
  record OfOp(int row) implements Selection {}

  /**
   * A range.
   *
   * @param row its row in the table of ranges
   */
  record OfRange(int row) implements Selection {}

  /** Nothing selected. */
  Selection NONE = new None();
}
