package dev.eddyline.options;

import java.util.Collection;
import java.util.Locale;

/** Finds the word that someone probably meant. */
final class NearestWord {
  private NearestWord() {}

  /** ", did you mean WORD?", or "" where no word is near. */
  static String suggestion(String typed, Collection<String> words) {
    String nearest = of(typed, words);
    return nearest.isEmpty() ? "" : ", did you mean " + nearest + "?";
  }

  /** The word with the fewest edits to {@code typed}, or "" where none is near. */
  static String of(String typed, Collection<String> words) {
    String lower = typed.toLowerCase(Locale.ROOT);
    String best = "";
    int least = Math.max(2, typed.length() / 3) + 1;
    for (String word : words) {
      int edits = edits(lower, word);
      if (edits < least) {
        least = edits;
        best = word;
      }
    }
    return best;
  }

  /** Insertions, deletions, changes, and swaps of neighbours. */
  private static int edits(String a, String b) {
    int[][] edits = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          edits[i][j] = i + j;
          continue;
        }
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int least = Math.min(edits[i - 1][j], edits[i][j - 1]) + 1;
        least = Math.min(least, edits[i - 1][j - 1] + change);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          least = Math.min(least, edits[i - 2][j - 2] + 1);
        }
        edits[i][j] = least;
      }
    }
    return edits[a.length()][b.length()];
  }
}
