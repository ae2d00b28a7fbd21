package dev.eddyline.analysis.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the shapes and types that PyTorch writes of an operator's inputs. */
final class Shapes {
  private static final Pattern INNERMOST = Pattern.compile("\\[[0-9,\\s]*]");
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_:]+(?: int)?");

  private Shapes() {}

  /**
   * The shape of the first input: {@code [[4096, 4096], []]} has {@code [4096,4096]}; "" if it is
   * no tensor, or a list of several.
   */
  static String first(String shapes) {
    List<String> ofFirst = new ArrayList<>();
    int depth = 0;
    int begin = -1;
    for (int i = 0; i < shapes.length(); i++) {
      char c = shapes.charAt(i);
      if (c == '[') {
        depth++;
        begin = depth == 2 ? i : begin;
      } else if (c == ']') {
        depth--;
        if (depth == 1 && begin >= 0) {
          Matcher list = INNERMOST.matcher(shapes.substring(begin, i + 1));
          while (list.find()) {
            ofFirst.add(list.group().replaceAll("\\s", ""));
          }
          break;
        }
      }
    }
    return ofFirst.size() == 1 && !ofFirst.get(0).equals("[]") ? ofFirst.get(0) : "";
  }

  /** The type of the first input, without case and namespace: "float", "bfloat16"; "" if none. */
  static String firstType(String types) {
    Matcher word = WORD.matcher(types);
    if (!word.find()) {
      return "";
    }
    String name = word.group();
    return name.substring(name.lastIndexOf(':') + 1).toLowerCase(Locale.ROOT);
  }
}
