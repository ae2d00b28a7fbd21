package dev.eddyline.analysis.finding;

import java.util.ArrayList;
import java.util.List;

/**
 * Makes demangled kernel names readable: without return type, parameters, namespaces, lambdas, tile
 * sizes and the template arguments that only carry pointers.
 *
 * <pre>
 * void at::native::vectorized_elementwise_kernel&lt;4, at::native::BUnaryFunctor&lt;float, float, float,
 *     at::native::binary_internal::MulFunctor&lt;float&gt; &gt;, std::array&lt;char*, 2ul&gt; &gt;(int, …)
 * becomes
 * vectorized_elementwise_kernel&lt;4, BUnaryFunctor&lt;float, float, float, MulFunctor&lt;float&gt;&gt;&gt;
 * </pre>
 *
 * A name that does not parse is left as it is.
 */
public final class KernelNames {
  private static final int MAX_DEPTH = 64;
  private final String text;
  private int at;
  private int depth;

  private KernelNames(String text) {
    this.text = text;
  }

  /** The short form of a name of an op; names of copies and fills stay as they are. */
  public static String shorten(String name) {
    String whole = name;
    if (isDemangled(name)) {
      KernelNames parser = new KernelNames(name);
      try {
        String parsed = parser.path(true);
        whole = parsed.isEmpty() ? name : parsed;
      } catch (IndexOutOfBoundsException unbalanced) {
        return name;
      }
    }
    int tile = whole.indexOf("_tilesize");
    return tile > 0 ? whole.substring(0, tile) : whole;
  }

  /** Plain words such as "Memcpy DtoD (Device -> Device)" have a blank before the parenthesis. */
  private static boolean isDemangled(String name) {
    int parenthesis = name.indexOf('(');
    return name.contains("::")
        || name.indexOf('<') > 0
        || parenthesis > 0 && name.charAt(parenthesis - 1) != ' ';
  }

  /** Reads {@code a::b<…>::c(…)} up to a comma or a closing bracket; gives its last named part. */
  private String path(boolean top) {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    while (at < text.length()) {
      char c = text.charAt(at);
      if (!top && (c == ',' || c == '>')) {
        break;
      }
      if (c == '<' && !endsWithOperator(part)) {
        part.append(arguments());
      } else if (c == '(' || c == '{' || c == '[') {
        skipGroup();
      } else if (text.startsWith("::", at)) {
        at += 2;
        parts.add(part.toString());
        part.setLength(0);
      } else if (c == ' ' && top && !text.startsWith(" const", at)) {
        // What stood before a blank at the outermost level was the return type.
        at++;
        if (part.length() > 0 && !text.substring(at).isBlank() && text.charAt(at) != '[') {
          parts.clear();
          part.setLength(0);
        }
      } else {
        part.append(c);
        at++;
      }
    }
    parts.add(part.toString());
    return lastNamed(parts);
  }

  private static boolean endsWithOperator(StringBuilder part) {
    return part.length() >= 8 && part.substring(part.length() - 8).equals("operator");
  }

  private static String lastNamed(List<String> parts) {
    for (int i = parts.size() - 1; i >= 0; i--) {
      String part = parts.get(i).strip();
      if (!part.isEmpty() && !part.startsWith("operator") && !part.equals("const")) {
        return part;
      }
    }
    return "";
  }

  private String arguments() {
    List<String> arguments = new ArrayList<>();
    if (++depth > MAX_DEPTH) {
      throw new IndexOutOfBoundsException(depth);
    }
    do {
      at++;
      while (text.charAt(at) == ' ') {
        at++;
      }
      String argument = path(false);
      if (!argument.startsWith("array<char*") && !argument.startsWith("Array<char*")) {
        arguments.add(argument);
      }
    } while (text.charAt(at) == ',');
    at++;
    depth--;
    return "<" + String.join(", ", arguments) + ">";
  }

  private void skipGroup() {
    int open = 0;
    do {
      char c = text.charAt(at++);
      if (c == '(' || c == '{' || c == '[') {
        open++;
      } else if (c == ')' || c == '}' || c == ']') {
        open--;
      }
    } while (open > 0);
  }
}
