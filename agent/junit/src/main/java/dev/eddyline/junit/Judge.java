package dev.eddyline.junit;

import dev.eddyline.junit.Verdict.Broken;
import dev.eddyline.junit.Verdict.Open;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.opentest4j.TestAbortedException;

/** Puts a check to every schedule of a trace and throws what comes out. */
final class Judge {
  private static final String INDENT = "  ";

  private final StreamTrace trace;
  private final boolean strict;

  Judge(StreamTrace trace, boolean strict) {
    this.trace = trace;
    this.strict = strict;
  }

  void judge(Check check) {
    if (trace.recordings().isEmpty()) {
      throw unanswered(trace.nothing());
    }
    List<Recording> all = trace.recordings();
    List<Recording> broken = new ArrayList<>();
    List<Recording> open = new ArrayList<>();
    List<Broken> how = new ArrayList<>();
    List<Open> why = new ArrayList<>();
    for (Recording recording : all) {
      Verdict verdict = check.judge(recording.view());
      if (verdict instanceof Broken b) {
        broken.add(recording);
        how.add(b);
      } else if (verdict instanceof Open o) {
        open.add(recording);
        why.add(o);
      }
    }
    if (!broken.isEmpty()) {
      throw new StreamAssertionError(broken(how.get(0), broken));
    }
    if (!open.isEmpty()) {
      throw unanswered(open(why.get(0), open.get(0)));
    }
  }

  private RuntimeException unanswered(String message) {
    if (strict) {
      throw new StreamAssertionError("cannot answer, and strict: " + message);
    }
    TestAbortedException aborted =
        new TestAbortedException("CannotAnswer (test aborted, not failed): " + message);
    aborted.setStackTrace(StreamAssertionError.ofUser(aborted.getStackTrace()));
    return aborted;
  }

  private String broken(Broken verdict, List<Recording> broken) {
    Recording first = broken.get(0);
    first.keep();
    StringBuilder text = new StringBuilder(verdict.headline()).append('\n');
    int schedules = trace.recordings().size();
    if (schedules > 1) {
      text.append(Schedules.words(trace.recordings(), broken, verdict.pair()));
    }
    text.append('\n');
    verdict.body().forEach(line -> text.append((INDENT + line).stripTrailing()).append('\n'));
    text.append(INDENT).append("Fix: ").append(verdict.fix()).append('\n');
    return text.append(traceLine(first.file())).toString();
  }

  private String open(Open verdict, Recording recording) {
    StringBuilder text = new StringBuilder(verdict.question()).append('\n');
    recording.keep();
    verdict.because().forEach(line -> text.append(INDENT).append(line).append('\n'));
    return text.append(traceLine(recording.file())).toString();
  }

  /** Where the trace is, and the command to look at it. */
  static String traceLine(Path file) {
    return INDENT + "Trace: " + shown(file) + "      eddyline analyze " + shown(file);
  }

  /** The path as a person would type it: relative if it lies below the current folder. */
  static String shown(Path file) {
    Path here = Path.of("").toAbsolutePath();
    Path whole = file.toAbsolutePath().normalize();
    return whole.startsWith(here) ? here.relativize(whole).toString() : file.toString();
  }
}
