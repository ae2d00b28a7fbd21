package dev.eddyline.samples.demo;

import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.report.Columns;
import dev.eddyline.analysis.report.Millis;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the demo says; every number is read off the two runs. */
final class DemoText {
  private static final int WIDTH = 118;
  private static final String INDENT = "   ";

  /** With more ranks only the one that is looked at has its row. */
  private static final int MOST_RANKS = 8;

  private final DemoRun mistake;
  private final DemoRun mended;
  private final int ranks;

  /** The rank that is looked at. */
  private final int shown;

  private final int steps;
  private final List<String> lines = new ArrayList<>();

  private DemoText(DemoRun mistake, DemoRun mended, int steps) {
    this.mistake = mistake;
    this.mended = mended;
    this.ranks = mistake.outcomes().size();
    this.shown = mistake.mostHeldRank();
    this.steps = steps;
  }

  /**
   * Tells it.
   *
   * @param plain the same training computed without streams, by rank
   */
  static List<String> tell(DemoRun mistake, DemoRun mended, List<Outcome> plain, int steps) {
    DemoText text = new DemoText(mistake, mended, steps);
    text.addProgram();
    text.addNumbers(plain);
    text.addFindings();
    text.addMeaning(plain);
    return text.lines;
  }

  private void addProgram() {
    paragraph(
        "",
        "Streaming DiLoCo on "
            + ranks
            + " ranks of the embedded device, "
            + steps
            + " steps: a network of "
            + TinyModel.LAYERS
            + " layers. In each step one layer is averaged over all ranks while training goes on."
            + " It was trained twice, and the two programs differ in one line, the stream of the"
            + " callback behind the all-reduce:");
    lines.add("");
    lines.add("  mistake   work.future().then(pool.next(), sums -> ...)        the next of a pool");
    lines.add("  mended    work.future().then(fragment.stream, sums -> ...)    its fragment's own");
    lines.add("");
  }

  private void addNumbers(List<Outcome> plain) {
    List<String[]> rows = new ArrayList<>();
    rows.add(new String[] {"", "mistake", "mended"});
    for (int rank = 0; rank < ranks && ranks <= MOST_RANKS; rank++) {
      addHeld(rows, rank);
    }
    if (ranks > MOST_RANKS) {
      addHeld(rows, shown);
    }
    rows.add(row("hosts of all ranks together", ms(sum(mistake)), ms(sum(mended))));
    rows.add(
        row(
            "all steps, rank " + shown,
            ms(mistake.trainingNs(shown)),
            ms(mended.trainingNs(shown))));
    double before = TinyModel.loss(TinyModel.initial());
    rows.add(
        row(
            String.format(Locale.ROOT, "loss, %.4f before training", before),
            loss(mistake),
            loss(mended)));
    rows.add(
        row(
            "largest difference from a plain computation",
            difference(mistake, plain),
            difference(mended, plain)));
    lines.addAll(Columns.align(rows, "  "));
    lines.add("");
  }

  private void addHeld(List<String[]> rows, int rank) {
    rows.add(row("host of rank " + rank + " stood still", held(mistake, rank), held(mended, rank)));
  }

  private long sum(DemoRun run) {
    long sum = 0;
    for (int rank = 0; rank < ranks; rank++) {
      sum += run.blockedNs(rank);
    }
    return sum;
  }

  private static String[] row(String... cells) {
    return cells;
  }

  private static String ms(long ns) {
    return Millis.of(ns) + " ms";
  }

  private String held(DemoRun run, int rank) {
    long blocked = run.blockedNs(rank);
    return ms(blocked)
        + (blocked == 0 ? "" : ", in " + run.heldSteps(rank) + " of " + steps + " steps");
  }

  private static String loss(DemoRun run) {
    return String.format(Locale.ROOT, "%.4f", TinyModel.loss(run.outcomes().get(0).parameters()));
  }

  private static double worst(DemoRun run, List<Outcome> plain) {
    double worst = 0;
    for (int rank = 0; rank < plain.size(); rank++) {
      worst = Math.max(worst, run.outcomes().get(rank).differenceFrom(plain.get(rank)));
    }
    return worst;
  }

  private static String difference(DemoRun run, List<Outcome> plain) {
    double worst = worst(run, plain);
    return worst == 0 ? "none" : String.format(Locale.ROOT, "%.2g", worst);
  }

  private void addFindings() {
    lines.add("What analyze finds on rank " + shown);
    addFindings("mistake", mistake.findings(shown));
    addFindings("mended", mended.findings(shown));
    lines.add("");
  }

  private void addFindings(String name, List<Finding> findings) {
    if (findings.isEmpty()) {
      lines.add("  " + name + ": no findings about the host in what the trace can answer");
    }
    for (Finding finding : findings) {
      lines.add(
          "  "
              + name
              + ": "
              + finding.severity().word()
              + " "
              + finding.rule()
              + " ("
              + finding.confidence().word()
              + ")");
      paragraph(INDENT, finding.summary());
      paragraph(INDENT, finding.explanation());
      paragraph(INDENT, "Fix: " + finding.remedy());
    }
  }

  private void addMeaning(List<Outcome> plain) {
    if (mistake.blockedNs(shown) == 0) {
      paragraph(
          "",
          "The mistake did not show in these "
              + steps
              + " steps: no callback got the stream that copies the loss. Try more steps.");
      lines.add("");
      return;
    }
    boolean same = worst(mistake, plain) == worst(mended, plain);
    paragraph(
        "",
        "Reading the loss should cost the host nothing: its copy is done long before. But in "
            + mistake.heldSteps(shown)
            + " of "
            + steps
            + " steps the pool gave the callback the very stream that had copied the loss. The"
            + " callback made that stream wait for the all-reduce, and so the host waited for the"
            + " slowest rank."
            + (same
                ? " No number of the model tells: the two runs learned the same."
                : " The numbers of the model differ, too."));
    lines.add("");
  }

  private void paragraph(String indent, String text) {
    lines.addAll(Columns.align(List.<String[]>of(new String[] {text}), indent, WIDTH));
  }
}
