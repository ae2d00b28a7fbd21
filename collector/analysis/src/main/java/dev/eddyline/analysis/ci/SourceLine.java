package dev.eddyline.analysis.ci;

import dev.eddyline.analysis.finding.Occurrence;
import dev.eddyline.analysis.finding.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A line of a program, as a trace knows it.
 *
 * @param function the method or function, "Trainer.step"
 * @param file its file as far as the trace knows it: "com/acme/Trainer.java", "train.py"
 * @param line the line, from 1
 */
public record SourceLine(String function, String file, int line) {
  /** "com.acme.Trainer.step(Trainer.java:88)". */
  private static final Pattern JAVA =
      Pattern.compile("(?:([\\w.]+)\\.)?([\\w$]+\\.[\\w$<>]+)\\(([\\w$-]+\\.\\w+):(\\d{1,9})\\)");

  private static final Pattern PLATFORM =
      Pattern.compile("(java|javax|jdk|sun|dev\\.eddyline)\\..*");

  /** Where an occurrence happened, innermost first; frames of Java and of Eddyline are left out. */
  static List<SourceLine> of(Occurrence occurrence) {
    List<SourceLine> lines = new ArrayList<>();
    for (String frame : occurrence.javaStack()) {
      add(lines, ofJava(frame));
    }
    for (int i = occurrence.where().size() - 1; i >= 0; i--) {
      Place place = occurrence.where().get(i);
      if (place.kind() == Place.Kind.JAVA && occurrence.javaStack().isEmpty()) {
        add(lines, ofJava(place.name()));
      } else if (place.line() > 0) {
        add(lines, new SourceLine(place.name(), place.file(), place.line()));
      }
    }
    return lines;
  }

  private static void add(List<SourceLine> lines, @Nullable SourceLine line) {
    if (line != null && !lines.contains(line)) {
      lines.add(line);
    }
  }

  /** A frame of a Java stack, null for one of the platform or one without a line. */
  static @Nullable SourceLine ofJava(String frame) {
    Matcher parts = JAVA.matcher(frame);
    if (!parts.matches() || PLATFORM.matcher(frame).matches()) {
      return null;
    }
    String folder = parts.group(1) == null ? "" : parts.group(1).replace('.', '/') + "/";
    return new SourceLine(
        parts.group(2), folder + parts.group(3), Integer.parseInt(parts.group(4)));
  }
}
