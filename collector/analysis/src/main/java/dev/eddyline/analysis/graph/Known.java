package dev.eddyline.analysis.graph;

import java.util.Locale;

/** How an edge is known. */
public enum Known {
  /** The source names both ends by ids. */
  RECORDED,
  /** A named rule found it; the edge carries the rule and a confidence. */
  INFERRED,
  /** CUDA's rules say so. */
  ASSUMED;

  /** The word in reports and exports. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
