package dev.eddyline.analysis.finding;

import java.util.Locale;

/** How sure a finding is; it says nothing of how bad it is. */
public enum Confidence {
  CERTAIN,
  LIKELY,
  POSSIBLE;

  /** The word in reports. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
