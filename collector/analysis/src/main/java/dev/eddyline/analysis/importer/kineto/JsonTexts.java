package dev.eddyline.analysis.importer.kineto;

import java.nio.charset.StandardCharsets;

/** Makes Strings of JSON texts. Lenient: an escape that JSON does not know stands for itself. */
final class JsonTexts {
  private static final int HEX = 4;

  private JsonTexts() {}

  /** The text between two quotes; bytes that are no UTF-8 become replacement characters. */
  static String decode(byte[] bytes, int from, int to) {
    String raw = new String(bytes, from, to - from, StandardCharsets.UTF_8);
    return raw.indexOf('\\') < 0 ? raw : unescape(raw);
  }

  /** A value as it stands in the file. */
  static String raw(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  private static String unescape(String raw) {
    StringBuilder text = new StringBuilder(raw.length());
    int i = 0;
    while (i < raw.length()) {
      char c = raw.charAt(i++);
      if (c != '\\' || i == raw.length()) {
        text.append(c);
        continue;
      }
      char escaped = raw.charAt(i++);
      switch (escaped) {
        case 'b' -> text.append('\b');
        case 'f' -> text.append('\f');
        case 'n' -> text.append('\n');
        case 'r' -> text.append('\r');
        case 't' -> text.append('\t');
        case '"', '\\', '/' -> text.append(escaped);
        case 'u' -> {
          int code = hex(raw, i);
          text.append(code < 0 ? "\\u" : Character.toString((char) code));
          i += code < 0 ? 0 : HEX;
        }
        default -> text.append('\\').append(escaped);
      }
    }
    return text.toString();
  }

  private static int hex(String raw, int from) {
    if (from + HEX > raw.length()) {
      return -1;
    }
    int code = 0;
    for (int i = from; i < from + HEX; i++) {
      int digit = Character.digit(raw.charAt(i), 16);
      if (digit < 0) {
        return -1;
      }
      code = code << 4 | digit;
    }
    return code;
  }
}
