package dev.eddyline.cli;

/** Options that make no sense; the message is one line that says what would. */
public final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UsageException(String message) {
    super(message);
  }
}
