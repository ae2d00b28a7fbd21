package dev.eddyline.analysis.finding;

import java.util.Locale;

/** How bad a finding is; a guess is never an error. */
public enum Severity {
  ERROR,
  WARNING,
  INFO;

  /** The word in reports. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
