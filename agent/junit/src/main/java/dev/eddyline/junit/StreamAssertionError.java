package dev.eddyline.junit;

import java.util.Arrays;

/** An assertion on streams that does not hold. Its stack trace begins in the user's code. */
public final class StreamAssertionError extends AssertionError {
  private static final long serialVersionUID = 1L;
  private static final String OWN = StreamAssertionError.class.getPackageName() + ".";

  StreamAssertionError(String message) {
    super(message);
    setStackTrace(ofUser(getStackTrace()));
  }

  StreamAssertionError(String message, Throwable cause) {
    this(message);
    initCause(cause);
  }

  /** The frames from the first one on that is not of this package; tests of it are users. */
  static StackTraceElement[] ofUser(StackTraceElement[] frames) {
    int first = 0;
    while (first < frames.length && isOwn(frames[first])) {
      first++;
    }
    return first == frames.length ? frames : Arrays.copyOfRange(frames, first, frames.length);
  }

  private static boolean isOwn(StackTraceElement frame) {
    String file = frame.getFileName();
    boolean test = file != null && file.endsWith("Test.java");
    return frame.getClassName().startsWith(OWN) && !test;
  }
}
