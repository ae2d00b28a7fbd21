package dev.eddyline.trace;

/**
 * Columns of {@link RecordType#GROUP}, as {@code ncclGroupStart} and {@code ncclGroupEnd} make one:
 * nothing in it is launched before the end of the outermost. {@code depth} is 1 for that, 2 for one
 * in it; {@code calls} are the collectives that were called in it or in groups in it; {@code
 * correlation} is that of the first launch that its end made, {@link RecordType#NONE} where it made
 * none.
 */
public final class Group {
  public static final int START = 0;
  public static final int DURATION = 1;
  public static final int THREAD = 2;
  public static final int DEPTH = 3;
  public static final int CALLS = 4;
  public static final int CORRELATION = 5;

  private Group() {}
}
