package dev.eddyline.device;

/** How a collective reduces. */
public enum ReduceOp {
  SUM("Sum"),
  PROD("Prod"),
  MIN("Min"),
  MAX("Max"),
  /** The sum divided by the number of ranks; integers are cut towards zero. */
  AVG("Avg");

  private final String word;

  ReduceOp(String word) {
    this.word = word;
  }

  /** The word in kernel names: "Sum". */
  public String word() {
    return word;
  }
}
