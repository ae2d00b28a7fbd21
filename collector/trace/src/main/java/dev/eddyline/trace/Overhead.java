package dev.eddyline.trace;

/**
 * Columns of {@link RecordType#OVERHEAD}. {@code kind} says what for: "lazy function loading",
 * "command buffer full", "activity buffer request", …
 */
public final class Overhead {
  public static final int START = 0;
  public static final int DURATION = 1;
  public static final int PROCESS = 2;
  public static final int THREAD = 3;
  public static final int KIND = 4;
  public static final int CORRELATION = 5;

  private Overhead() {}
}
