package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Coverage;
import dev.eddyline.analysis.finding.NotEvaluated;
import java.util.ArrayList;
import java.util.List;

/**
 * The rules of the design that this version does not have, with the data that each would need: a
 * report must not look as if it had judged them.
 */
final class LaterRules {
  private static final String NOT_YET = "not in this version of Eddyline";
  private static final List<String> NEED_RANKS =
      List.of(
          "straggler",
          "order-mismatch",
          "argument-mismatch",
          "communicator-order",
          "stuck-collective");
  private static final List<String> OTHERS =
      List.of("forbidden-dependency", "stuck-future");

  private LaterRules() {}

  static List<NotEvaluated> list(Coverage coverage) {
    List<NotEvaluated> result = new ArrayList<>();
    boolean all = coverage.ranksLoaded() >= coverage.ranksExpected();
    add(result, NEED_RANKS, all ? NOT_YET : "needs the other ranks; " + NOT_YET);
    add(result, OTHERS, NOT_YET);
    return result;
  }

  private static void add(List<NotEvaluated> result, List<String> rules, String because) {
    for (String rule : rules) {
      result.add(new NotEvaluated(rule, because));
    }
  }
}
