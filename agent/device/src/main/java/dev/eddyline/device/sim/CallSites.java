package dev.eddyline.device.sim;

import java.util.List;
import java.util.Set;

/** Finds who called. */
final class CallSites {
  private static final int MOST_FRAMES = 8;
  private static final String API = "dev.eddyline.device.";

  /** What stands between a program and this API; samples are programs. */
  private static final List<String> LIBRARIES =
      List.of("dev.eddyline.group.", "dev.eddyline.junit.");

  private static final int USUAL_DEPTH = 24;
  private static final StackWalker WALKER = StackWalker.getInstance(Set.of(), USUAL_DEPTH);

  private CallSites() {}

  /** Frames of the calling thread outside of this API and the JDK, innermost first. */
  static List<String> ofCaller() {
    return WALKER.walk(
        frames ->
            frames
                .filter(frame -> isUsers(frame.getClassName()))
                .limit(MOST_FRAMES)
                .map(CallSites::words)
                .toList());
  }

  private static boolean isUsers(String type) {
    return !isOf(API, type) && !type.startsWith("java.") && !type.startsWith("jdk.");
  }

  /**
   * Whether a class is of a package of ours; tests of ours are users. Looks at names alone: a
   * frame's file costs more than the whole walk.
   */
  private static boolean isOf(String packages, String type) {
    if (!type.startsWith(packages)) {
      return false;
    }
    int inner = type.indexOf('$');
    return !type.startsWith("Test", (inner < 0 ? type.length() : inner) - "Test".length());
  }

  /** "Trainer.step(Trainer.java:12)"; classes of our libraries with their packages. */
  static String words(StackWalker.StackFrame frame) {
    String type = frame.getClassName();
    boolean ours = LIBRARIES.stream().anyMatch(library -> isOf(library, type));
    return (ours ? type : type.substring(type.lastIndexOf('.') + 1))
        + '.'
        + frame.getMethodName()
        + '('
        + frame.getFileName()
        + ':'
        + frame.getLineNumber()
        + ')';
  }
}
