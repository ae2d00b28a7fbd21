package dev.eddyline.cli;

import java.io.BufferedWriter;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Where a command writes: its result to {@link #out()}, all else to {@link #err()}. */
public final class Console {
  private final Writer out;
  private final PrintStream err;
  private final boolean errIsTerminal;

  /**
   * Takes the streams of a process.
   *
   * @param errIsTerminal whether a person looks at {@code err}: progress is shown only then
   */
  public Console(OutputStream out, OutputStream err, boolean errIsTerminal) {
    this.out =
        new BufferedWriter(
            new OutputStreamWriter(new StandardOutput(out), StandardCharsets.UTF_8), 1 << 16);
    this.err = new PrintStream(err, true, StandardCharsets.UTF_8);
    this.errIsTerminal = errIsTerminal;
  }

  /** Standard output; its faults are {@link OutputException}s. */
  public Writer out() {
    return out;
  }

  /** Standard error. */
  public PrintStream err() {
    return err;
  }

  /** Whether a person looks at standard error. */
  public boolean errIsTerminal() {
    return errIsTerminal;
  }

  private static final class StandardOutput extends FilterOutputStream {
    private StandardOutput(OutputStream target) {
      super(target);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      try {
        out.write(bytes, from, length);
      } catch (IOException e) {
        throw fault(e);
      }
    }

    @Override
    public void flush() throws IOException {
      try {
        out.flush();
      } catch (IOException e) {
        throw fault(e);
      }
    }

    private static OutputException fault(IOException e) {
      String why = String.valueOf(e.getMessage());
      String lower = why.toLowerCase(Locale.ROOT);
      boolean gone =
          lower.contains("broken pipe")
              || lower.contains("bad file descriptor")
              || lower.contains("pipe is being closed")
              || lower.contains("stream closed");
      return new OutputException("cannot write to standard output: " + why, e, gone);
    }
  }
}
