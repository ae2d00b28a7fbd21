package dev.eddyline.analysis.ci;

import java.util.List;

/**
 * What a CI server is told.
 *
 * @param command "analyze" or "check"
 * @param version version of Eddyline
 * @param verdict the outcome in words, one line
 * @param files the traces, as the user named them
 * @param rules what the ids mean
 * @param results in the order to show them
 */
public record CiReport(
    String command,
    String version,
    String verdict,
    List<String> files,
    List<RuleText> rules,
    List<CiResult> results) {

  /**
   * What an id means.
   *
   * @param id the id
   * @param description one sentence
   */
  public record RuleText(String id, String description) {}
}
