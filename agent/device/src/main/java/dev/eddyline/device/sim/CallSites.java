package dev.eddyline.device.sim;

import java.util.List;

/** Finds who called. */
final class CallSites {
  private static final int MOST_FRAMES = 8;
  private static final String API = "dev.eddyline.device.";
  private static final StackWalker WALKER = StackWalker.getInstance();

  private CallSites() {}

  /** Frames of the calling thread outside of this API and the JDK, innermost first. */
  static List<String> ofCaller() {
    return WALKER.walk(
        frames ->
            frames
                .filter(frame -> isUsers(frame.getClassName(), frame.getFileName()))
                .limit(MOST_FRAMES)
                .map(CallSites::words)
                .toList());
  }

  private static boolean isUsers(String type, @org.jspecify.annotations.Nullable String file) {
    boolean ours = type.startsWith(API) && (file == null || !file.endsWith("Test.java"));
    return !ours && !type.startsWith("java.") && !type.startsWith("jdk.");
  }

  /** "Trainer.step(Trainer.java:12)". */
  static String words(StackWalker.StackFrame frame) {
    String type = frame.getClassName();
    return type.substring(type.lastIndexOf('.') + 1)
        + '.'
        + frame.getMethodName()
        + '('
        + frame.getFileName()
        + ':'
        + frame.getLineNumber()
        + ')';
  }
}
