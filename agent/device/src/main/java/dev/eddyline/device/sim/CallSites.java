package dev.eddyline.device.sim;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds who called. */
final class CallSites {
  private static final int MOST_FRAMES = 8;
  private static final String API = "dev.eddyline.device.";

  /** What stands between a program and this API; samples are programs. */
  private static final List<String> LIBRARIES =
      List.of("dev.eddyline.group.", "dev.eddyline.junit.");

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

  private static boolean isUsers(String type, @Nullable String file) {
    return !isOf(API, type, file) && !type.startsWith("java.") && !type.startsWith("jdk.");
  }

  /** Whether a class is of a package of ours; tests of ours are users. */
  private static boolean isOf(String packages, String type, @Nullable String file) {
    return type.startsWith(packages) && (file == null || !file.endsWith("Test.java"));
  }

  /** "Trainer.step(Trainer.java:12)"; classes of our libraries with their packages. */
  static String words(StackWalker.StackFrame frame) {
    String type = frame.getClassName();
    String file = frame.getFileName();
    boolean ours = LIBRARIES.stream().anyMatch(library -> isOf(library, type, file));
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
