package dev.eddyline.analysis.finding;

/**
 * One level of where something happened.
 *
 * @param kind what the level is
 * @param name its name
 * @param file source file, "" if not known
 * @param line line in the file, 0 if not known
 */
public record Place(Kind kind, String name, String file, int line) {
  /** What a level is. */
  public enum Kind {
    STEP,
    ANNOTATION,
    OPERATOR,
    PYTHON,
    NVTX,
    JAVA;

    /** The word in reports. */
    public String word() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }
}
