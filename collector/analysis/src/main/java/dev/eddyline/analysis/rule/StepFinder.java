package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Steps;
import dev.eddyline.analysis.finding.Steps.Step;
import dev.eddyline.analysis.timeline.RangeView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.RecordType.Range;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Finds the training steps: marks of kind step; else the profiler's own {@code ProfilerStep#n};
 * else annotations that are a word for a step and a number. Steps do not nest: the outermost
 * counts.
 */
public final class StepFinder {
  private static final Pattern PROFILER_STEP = Pattern.compile("ProfilerStep#\\d+");
  private static final Pattern STEP_WORD =
      Pattern.compile("(?i)(train(ing)?[ _-]?)?(step|iter(ation)?|batch)[ _#:-]{0,2}\\d+");

  private StepFinder() {}

  /** The steps of a timeline, by start; empty where there are none. */
  public static Steps find(Timeline timeline) {
    List<Step> marks = steps(timeline, Range.KIND_STEP, null);
    if (marks.isEmpty()) {
      marks = steps(timeline, Range.KIND_ANNOTATION, PROFILER_STEP);
    }
    if (marks.isEmpty()) {
      marks = steps(timeline, Range.KIND_OPERATOR, PROFILER_STEP);
    }
    if (marks.isEmpty()) {
      marks = steps(timeline, Range.KIND_ANNOTATION, STEP_WORD);
    }
    if (marks.isEmpty()) {
      marks = steps(timeline, Range.KIND_NVTX, STEP_WORD);
    }
    return new Steps(withoutOverlap(marks));
  }

  /** Of steps of one process that overlap, on several threads say, the earlier one counts. */
  private static List<Step> withoutOverlap(List<Step> marks) {
    marks.sort(Comparator.comparingLong(Step::startNs));
    Map<Integer, Long> endOfProcess = new HashMap<>();
    List<Step> kept = new ArrayList<>();
    for (Step step : marks) {
      if (step.startNs() >= endOfProcess.getOrDefault(step.process(), Long.MIN_VALUE)) {
        endOfProcess.put(step.process(), step.endNs());
        kept.add(step);
      }
    }
    return kept;
  }

  private static List<Step> steps(
      Timeline timeline, int kind, @org.jspecify.annotations.Nullable Pattern pattern) {
    RangeView range = timeline.ranges();
    List<Step> found = new ArrayList<>();
    byte[] matches = new byte[timeline.strings().size()];
    Step last = null;
    for (int i = 0; i < range.size(); i++) {
      if (range.at(i).kind() != kind) {
        continue;
      }
      int name = range.nameId();
      if (matches[name] == 0) {
        boolean match = pattern == null || pattern.matcher(range.name()).matches();
        matches[name] = (byte) (match ? 1 : 2);
      }
      boolean nested =
          last != null && last.thread() == range.thread() && range.start() < last.endNs();
      if (matches[name] == 1 && !nested) {
        int process = timeline.thread(range.thread()).process();
        last = new Step(range.name(), process, range.thread(), range.start(), range.end());
        found.add(last);
      }
    }
    return found;
  }
}
