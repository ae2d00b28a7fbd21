package dev.eddyline.analysis.timeline;

/**
 * A host thread.
 *
 * @param process index of its process
 * @param tid thread id as the source gives it
 * @param name name to show, "" if the source has none
 */
public record ThreadInfo(int process, long tid, String name) {
  /** The name to show: "thread 733 (python3)", or "thread 733" where it has none. */
  public String label() {
    return name.isEmpty() ? "thread " + tid : name;
  }
}
