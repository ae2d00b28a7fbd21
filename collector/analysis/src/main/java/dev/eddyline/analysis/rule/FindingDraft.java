package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Occurrence;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects what a finding says; for rules that are not about calls that held the host. */
final class FindingDraft {
  private final Facts facts;
  private final String rule;
  private final Severity severity;
  private final List<Occurrence> occurrences = new ArrayList<>();
  private final Set<Integer> steps = new LinkedHashSet<>();
  private final List<String> sure = new ArrayList<>();
  private final List<String> guessed = new ArrayList<>();
  private final List<String> explanation = new ArrayList<>();
  private Confidence confidence = Confidence.CERTAIN;
  private @Nullable Long idleNs;
  private boolean expected;

  FindingDraft(Facts facts, String rule, Severity severity) {
    this.facts = facts;
    this.rule = rule;
    this.severity = severity;
  }

  FindingDraft confidence(Confidence value) {
    confidence = value;
    return this;
  }

  FindingDraft idle(long ns) {
    idleNs = ns;
    return this;
  }

  /** It is normal: folded away, not counted. */
  FindingDraft expected() {
    expected = true;
    return this;
  }

  FindingDraft sure(String text) {
    sure.add(text);
    return this;
  }

  FindingDraft guessed(String text) {
    guessed.add(text);
    return this;
  }

  /** Adds a sentence, unless it is empty. */
  FindingDraft explain(String sentence) {
    if (!sentence.isEmpty()) {
      explanation.add(sentence);
    }
    return this;
  }

  /** It happened at a call, and on a stream if that is not negative. */
  FindingDraft atCall(int callRow, int stream) {
    CallView call = facts.timeline().calls().at(callRow);
    return at(call.start(), call.end(), callRow, stream);
  }

  /** It happened at the launch of an op, or while it ran where the launch is not known. */
  FindingDraft atOp(int opRow) {
    OpView op = facts.timeline().ops().at(opRow);
    int launch = facts.graph().ops().callOf(opRow);
    return at(op.start(), op.end(), launch, op.stream());
  }

  /**
   * It happened in a time.
   *
   * @param callRow the call that tells thread and place, or -1
   * @param stream index of the stream, or -1
   */
  FindingDraft at(long startNs, long endNs, int callRow, int stream) {
    String label = stream < 0 ? "" : facts.timeline().stream(stream).label();
    if (callRow < 0) {
      int process = stream < 0 ? 0 : facts.timeline().stream(stream).process();
      int rank = facts.timeline().process(process).rank();
      steps.add(facts.steps().indexAt(process, startNs));
      occurrences.add(
          new Occurrence(
              startNs, endNs, -1, rank, "", "", -1, label, List.of(), List.of(), List.of()));
      return this;
    }
    CallView call = facts.timeline().calls().at(callRow);
    steps.add(facts.steps().indexAt(call.process(), call.start()));
    occurrences.add(
        new Occurrence(
            startNs,
            endNs,
            callRow,
            facts.timeline().process(call.process()).rank(),
            facts.timeline().thread(call.thread()).label(),
            call.name(),
            call.correlation(),
            label,
            facts.places().at(call.thread(), call.start()),
            List.of(),
            List.of()));
    return this;
  }

  int size() {
    return occurrences.size();
  }

  Finding make(String title, String summary, String remedy) {
    steps.remove(-1);
    occurrences.sort(Comparator.comparingLong(Occurrence::startNs));
    return new Finding(
        rule,
        severity,
        confidence,
        title,
        summary,
        String.join(" ", explanation),
        remedy,
        sure,
        guessed,
        null,
        idleNs,
        null,
        expected,
        List.copyOf(occurrences),
        steps.size());
  }
}
