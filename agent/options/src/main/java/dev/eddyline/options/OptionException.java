package dev.eddyline.options;

/** An option that cannot be; the message is one line that says what could. */
public final class OptionException extends Exception {
  private static final long serialVersionUID = 1L;

  public OptionException(String message) {
    super(message);
  }
}
