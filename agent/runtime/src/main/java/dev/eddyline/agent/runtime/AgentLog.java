package dev.eddyline.agent.runtime;

import java.io.PrintStream;
import java.util.function.Consumer;

/**
 * What the agent says, on the host's standard error: little. Each line begins with {@code
 * eddyline:}, and no logging framework of the host hears of it. Thread-safe.
 */
final class AgentLog implements Consumer<String> {
  /** How much is said. */
  enum Level {
    /** Nothing. */
    QUIET,
    /** A line when recording starts, one when it ends, and faults. */
    INFO,
    /** Also what was tried and found. */
    DEBUG
  }

  private final PrintStream target;
  private volatile Level level = Level.INFO;

  AgentLog(PrintStream target) {
    this.target = target;
  }

  void setLevel(Level newLevel) {
    level = newLevel;
  }

  /** Says one line at level info. */
  @Override
  public void accept(String line) {
    say(Level.INFO, line);
  }

  /** Says one line at level debug. */
  void debug(String line) {
    say(Level.DEBUG, line);
  }

  private void say(Level at, String line) {
    if (level.compareTo(at) < 0) {
      return;
    }
    try {
      target.println("eddyline: " + line.strip().replace("\n", "\neddyline: "));
    } catch (RuntimeException hostsOwnStreamThrows) {
      // Programs replace System.err; what theirs does is not the agent's concern.
      return;
    }
  }
}
