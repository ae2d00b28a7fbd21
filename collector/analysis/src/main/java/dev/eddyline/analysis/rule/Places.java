package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Place;
import dev.eddyline.analysis.finding.Steps;
import dev.eddyline.analysis.graph.ScopeIndex;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.RangeView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.RecordType.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says where in a program something happened, from the ranges around it. */
public final class Places {
  /** How the Python tracer writes a function: {@code file.py(12): name}. */
  private static final Pattern PYTHON = Pattern.compile("(.+)\\((\\d+)\\): (.+)");

  private static final Pattern FRAME = Pattern.compile("^#+\\s+|\\s+#+$");

  private static final int INNERMOST = 3;
  private final Timeline timeline;
  private final Steps steps;
  private final ScopeIndex ranges;

  public Places(StreamGraph graph, Steps steps) {
    this.timeline = graph.timeline();
    this.steps = steps;
    this.ranges = graph.rangeIndex();
  }

  /**
   * The levels around a time on a thread, outermost first; the step of its process first of all.
   */
  public List<Place> at(int thread, long timeNs) {
    List<Place> places = new ArrayList<>();
    int step = steps.indexAt(timeline.thread(thread).process(), timeNs);
    String stepName = step < 0 ? "" : steps.steps().get(step).name();
    if (step >= 0) {
      places.add(new Place(Place.Kind.STEP, stepName, "", 0));
    }
    RangeView range = timeline.ranges();
    for (int row : ranges.allAt(thread, timeNs)) {
      range.at(row);
      if (!range.name().equals(stepName)) {
        places.add(place(range));
      }
    }
    return places;
  }

  private static Place place(RangeView range) {
    String name = range.name();
    Matcher python = range.kind() == Range.KIND_PYTHON ? PYTHON.matcher(name) : PYTHON.matcher("");
    if (python.matches()) {
      int line =
          Integer.parseInt(python.group(2).substring(0, Math.min(9, python.group(2).length())));
      return new Place(Place.Kind.PYTHON, python.group(3), python.group(1), line);
    }
    Place.Kind kind =
        switch (range.kind()) {
          case Range.KIND_OPERATOR -> Place.Kind.OPERATOR;
          case Range.KIND_PYTHON -> Place.Kind.PYTHON;
          case Range.KIND_NVTX -> Place.Kind.NVTX;
          case Range.KIND_JAVA -> Place.Kind.JAVA;
          case Range.KIND_STEP -> Place.Kind.STEP;
          default -> Place.Kind.ANNOTATION;
        };
    return new Place(kind, withoutHashes(name), "", 0);
  }

  /** Some programs frame the names of their annotations: "## forward ##". */
  private static String withoutHashes(String name) {
    String plain = FRAME.matcher(name).replaceAll("");
    return plain.isEmpty() ? name : plain;
  }

  /** Name of the innermost operator around a time on a thread, or "". */
  public String operatorAt(int thread, long timeNs) {
    RangeView range = timeline.ranges();
    int[] rows = ranges.allAt(thread, timeNs);
    for (int i = rows.length - 1; i >= 0; i--) {
      if (range.at(rows[i]).kind() == Range.KIND_OPERATOR) {
        return range.name();
      }
    }
    return "";
  }

  /** What findings are grouped by: the innermost three levels that {@link #shortPath} shows. */
  public static String groupKey(List<Place> where) {
    return String.join("\u0000", innermost(where));
  }

  /** The innermost three levels in words: "a > b > c". */
  public static String shortPath(List<Place> where) {
    return String.join(" > ", innermost(where));
  }

  /**
   * The innermost three levels. Steps are left out, and of operators that call each other only the
   * outermost and the innermost stay: the others are the framework's own detail.
   */
  private static List<String> innermost(List<Place> where) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < where.size(); i++) {
      boolean inner = isOperator(where, i) && isOperator(where, i - 1) && isOperator(where, i + 1);
      if (where.get(i).kind() != Place.Kind.STEP && !inner) {
        names.add(where.get(i).name());
      }
    }
    return names.subList(Math.max(0, names.size() - INNERMOST), names.size());
  }

  private static boolean isOperator(List<Place> where, int index) {
    return index >= 0 && index < where.size() && where.get(index).kind() == Place.Kind.OPERATOR;
  }
}
