package dev.eddyline.samples.demo;

import dev.eddyline.analysis.export.ChromeExport;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.finding.Steps;
import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.Traces;
import dev.eddyline.analysis.rule.AnalysisOptions;
import dev.eddyline.analysis.rule.Analyzer;
import dev.eddyline.cli.OutputTarget;
import dev.eddyline.device.sim.Sim;
import dev.eddyline.device.sim.SimOptions;
import dev.eddyline.device.sim.SimResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;

/**
 * One of the two runs: trained on the embedded device, written as files, and read back from them.
 *
 * @param outcomes of each rank
 * @param reports of each rank, from its file alone
 * @param files the trace of each rank
 * @param chrome all ranks for Perfetto
 */
record DemoRun(List<Outcome> outcomes, List<Report> reports, List<Path> files, Path chrome) {

  /**
   * Trains, records and analyses.
   *
   * @param name how its files begin
   * @param progress told each step that rank 0 has done
   */
  static DemoRun make(
      boolean mistake, int ranks, int steps, Path folder, String name, IntConsumer progress)
      throws IOException {
    ConcurrentHashMap<Integer, Outcome> byRank = new ConcurrentHashMap<>();
    SimResult result =
        Sim.run(
            SimOptions.defaults().withRanks(ranks).withTracePerRank(true),
            platform ->
                byRank.put(
                    platform.rank(),
                    Training.run(
                        platform, mistake, steps, platform.rank() == 0 ? progress : done -> {})));
    List<Outcome> outcomes = new ArrayList<>();
    List<Report> reports = new ArrayList<>();
    List<Path> files = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      Outcome outcome = byRank.get(rank);
      if (outcome == null) {
        throw new IllegalStateException("rank " + rank + " came to nothing");
      }
      outcomes.add(outcome);
      byte[] trace = result.traces().get(rank).bytes();
      Path file = folder.resolve(name + "-rank" + rank + ".eddy");
      OutputTarget.write(file, true, target -> target.write(trace));
      files.add(file);
      reports.add(
          Analyzer.analyze(
                  Traces.open(List.of(file), ReadOptions.defaults()), AnalysisOptions.defaults())
              .report());
    }
    Path chrome = folder.resolve(name + ".chrome.json.gz");
    var whole =
        Analyzer.analyze(Traces.open(files, ReadOptions.defaults()), AnalysisOptions.defaults());
    OutputTarget.write(
        chrome, true, target -> ChromeExport.write(whole, files, ReadOptions.defaults(), target));
    return new DemoRun(outcomes, reports, files, chrome);
  }

  /**
   * What is found on a rank, without what is normal. That nothing hid the collectives of so small a
   * model is no part of the story.
   */
  List<Finding> findings(int rank) {
    return reports.get(rank).findings().stream()
        .filter(finding -> !finding.expected() && finding.severity() != Severity.INFO)
        .filter(finding -> !finding.rule().equals("exposed-collective"))
        .toList();
  }

  /** How long the host of a rank stood still in what is found there, in nanoseconds. */
  long blockedNs(int rank) {
    long sum = 0;
    for (Finding finding : findings(rank)) {
      Long blocked = finding.blockedNs();
      sum += blocked == null ? 0 : blocked;
    }
    return sum;
  }

  /** In how many steps a rank's host stood still. */
  int heldSteps(int rank) {
    return findings(rank).stream()
        .filter(finding -> finding.blockedNs() != null)
        .mapToInt(Finding::steps)
        .max()
        .orElse(0);
  }

  /** From the begin of a rank's first step to the end of its last on the host, in nanoseconds. */
  long trainingNs(int rank) {
    List<Steps.Step> steps = reports.get(rank).steps().steps();
    long first = steps.stream().mapToLong(Steps.Step::startNs).min().orElse(0);
    return steps.stream().mapToLong(Steps.Step::endNs).max().orElse(first) - first;
  }

  /** The rank whose host stood still longest; the first of them. */
  int mostHeldRank() {
    int most = 0;
    for (int rank = 1; rank < reports.size(); rank++) {
      most = blockedNs(rank) > blockedNs(most) ? rank : most;
    }
    return most;
  }
}
