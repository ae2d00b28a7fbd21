package dev.eddyline.junit;

import java.util.List;

/** What a check says of one trace. */
sealed interface Verdict {

  /** The rule holds. */
  record Holds() implements Verdict {}

  /**
   * The rule is broken.
   *
   * @param rule the rule in words
   * @param count how often it is broken, in words: "but 1 of 3 did"
   * @param body what happened where, line by line, indented
   * @param fix what to do
   * @param pair the two ops that it is about, in words, "" where it is about none
   */
  record Broken(String rule, String count, List<String> body, String fix, String pair)
      implements Verdict {
    String headline() {
      return rule + ", " + count;
    }
  }

  /**
   * The trace does not say.
   *
   * @param question the question in words
   * @param because which data lack, and what to do, line by line
   */
  record Open(String question, List<String> because) implements Verdict {}
}
