package dev.eddyline.recorder;

/** Whether the window of a recording has begun and ended. */
final class WindowControl {
  private final RecordingWindow window;
  private final long startedAt = System.nanoTime();
  private volatile boolean fromMarkSeen;
  private volatile boolean toMarkSeen;

  WindowControl(RecordingWindow window) {
    this.window = window;
  }

  /** A step or range begins, on any thread. */
  void began(String name) {
    if (!fromMarkSeen && name.equals(window.fromMark())) {
      fromMarkSeen = true;
    } else if (isOpen() && name.equals(window.toMark())) {
      toMarkSeen = true;
    }
  }

  /** Whether it has begun. */
  boolean isOpen() {
    return window.fromMark() == null
        ? System.nanoTime() - startedAt >= window.fromNanos()
        : fromMarkSeen;
  }

  /** Whether it has ended. */
  boolean isOver() {
    return window.toMark() == null
        ? window.toNanos() != Long.MAX_VALUE && System.nanoTime() - startedAt >= window.toNanos()
        : toMarkSeen;
  }
}
