package dev.eddyline.analysis.finding;

/**
 * A rule that could not look.
 *
 * @param rule id of the rule
 * @param because which data lack, in words
 */
public record NotEvaluated(String rule, String because) {}
