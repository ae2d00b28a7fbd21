package dev.eddyline.control;

import java.util.Locale;

/**
 * One answer of the doctor.
 *
 * @param verdict how it stands
 * @param what what was looked at, and found
 * @param remedy what to do; "" where there is nothing
 */
record Check(Verdict verdict, String what, String remedy) {
  /** How something stands. */
  enum Verdict {
    /** As it should be. */
    OK,
    /** Good to know. */
    NOTE,
    /** A recording would fail or lack something. */
    BAD
  }

  static Check ok(String what) {
    return new Check(Verdict.OK, what, "");
  }

  static Check note(String what, String remedy) {
    return new Check(Verdict.NOTE, what, remedy);
  }

  static Check bad(String what, String remedy) {
    return new Check(Verdict.BAD, what, remedy);
  }

  /** A line, and one with the remedy. */
  String words() {
    String line =
        String.format(Locale.ROOT, "%-5s %s%n", verdict.name().toLowerCase(Locale.ROOT), what);
    return remedy.isEmpty() ? line : line + "      -> " + remedy + "\n";
  }
}
