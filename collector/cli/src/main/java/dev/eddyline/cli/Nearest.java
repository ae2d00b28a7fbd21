package dev.eddyline.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the word that someone probably meant. */
final class Nearest {
  private Nearest() {}

  /** The word with the fewest edits to {@code typed}, or null where none is near. */
  static @Nullable String of(String typed, List<String> words) {
    String best = null;
    int least = Math.max(2, typed.length() / 3) + 1;
    for (String word : words) {
      int edits = edits(typed, word);
      if (edits < least) {
        least = edits;
        best = word;
      }
    }
    return best;
  }

  private static int edits(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
