package dev.eddyline.cli;

import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Occurrence;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.finding.Steps;
import dev.eddyline.analysis.graph.Collectives;
import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.Traces;
import dev.eddyline.analysis.report.StreamSummaries;
import dev.eddyline.analysis.report.StreamSummary;
import dev.eddyline.analysis.rule.Analysis;
import dev.eddyline.analysis.rule.AnalysisOptions;
import dev.eddyline.analysis.rule.Analyzer;
import dev.eddyline.analysis.timeline.ApiKind;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.RecordType.Op;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the demo tells of one run, read off its traces: rank 0 is looked at, rank 1 only says when
 * it came.
 *
 * @param syncNs how long each sync of a fragment's stream took
 * @param held whether they held the host, as the findings have it
 * @param divisionToReduceNs per step, from the division's end to the begin of its all-reduce;
 *     negative where the division came after it
 * @param copyNs per step, how long the gradient's copy took; empty where there is none
 * @param copyBytes size of such a copy
 * @param gpuNs from the first to the last op that belongs to the steps
 * @param otherLateNs how much later than rank 0 rank 1 began its first step
 */
record DemoRun(
    List<Long> syncNs,
    boolean held,
    List<Long> divisionToReduceNs,
    List<Long> copyNs,
    long copyBytes,
    long gpuNs,
    long otherLateNs) {

  static DemoRun read(Path rank0, Path rank1) throws IOException {
    Timeline own = Traces.open(List.of(rank0), ReadOptions.defaults());
    Analysis analysis = Analyzer.analyze(own, AnalysisOptions.defaults());
    Timeline other = Traces.open(List.of(rank1), ReadOptions.defaults());
    Report otherReport = Analyzer.analyze(other, AnalysisOptions.defaults()).report();
    long start = firstStep(analysis.report());
    List<Long> reduceStarts = new ArrayList<>();
    List<Long> divisionEnds = new ArrayList<>();
    List<Long> copies = new ArrayList<>();
    long bytes = 0;
    long first = Long.MAX_VALUE;
    long last = start;
    List<StreamSummary> streams = StreamSummaries.of(own);
    OpView op = own.ops();
    for (int i = 0; i < op.size(); i++) {
      op.at(i);
      if (op.start() >= start) {
        first = Math.min(first, op.start());
        last = Math.max(last, op.end());
      }
      if (Collectives.isCollectiveKernel(op.name())) {
        reduceStarts.add(op.start());
      } else if (!streams.get(op.stream()).isDefault()) {
        if (op.kind() == Op.KIND_COPY) {
          copies.add(op.duration());
          bytes = op.bytes();
        } else {
          divisionEnds.add(op.end());
        }
      }
    }
    List<Long> gaps = new ArrayList<>();
    for (int i = 0; i < Math.min(reduceStarts.size(), divisionEnds.size()); i++) {
      gaps.add(reduceStarts.get(i) - divisionEnds.get(i));
    }
    List<Long> held = syncs(heldSyncs(analysis.report()));
    List<Long> idle = syncs(analysis.report().idleSyncs());
    return new DemoRun(
        held.isEmpty() ? idle : held,
        !held.isEmpty(),
        gaps,
        copies,
        bytes,
        last - first,
        firstStep(otherReport) - start);
  }

  private static long firstStep(Report report) {
    return report.steps().steps().stream().mapToLong(Steps.Step::startNs).min().orElse(0);
  }

  private static List<Occurrence> heldSyncs(Report report) {
    List<Occurrence> held = new ArrayList<>();
    for (Finding finding : report.findings()) {
      if (!finding.expected()) {
        held.addAll(finding.occurrences());
      }
    }
    return held;
  }

  private static List<Long> syncs(List<Occurrence> occurrences) {
    return occurrences.stream()
        .filter(occurrence -> ApiKind.of(occurrence.call()) == ApiKind.STREAM_SYNC)
        .map(Occurrence::durationNs)
        .toList();
  }
}
