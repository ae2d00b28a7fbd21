package dev.eddyline.device.sim;

import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.rule.AnalysisOptions;
import dev.eddyline.analysis.rule.Analyzer;
import dev.eddyline.device.Buffer;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Kernel;
import dev.eddyline.device.Platform;
import dev.eddyline.device.Stream;
import java.util.List;
import java.util.Set;

final class Cases {
  static final int MANY = 1 << 16;
  private static final Set<String> RULES =
      Set.of(
          "unordered-access",
          "host-race",
          "use-after-free",
          "reuse-before-done",
          "retained-memory",
          "empty-wait",
          "overwritten-event",
          "wrong-stream-wait");

  private Cases() {}

  static List<Finding> findings(Sim.Program program) {
    return findings(SimOptions.defaults(), program);
  }

  static List<Finding> findings(SimOptions options, Sim.Program program) {
    return Analyzer.analyze(Programs.open(Sim.run(options, program)), AnalysisOptions.defaults())
        .report()
        .findings()
        .stream()
        .filter(finding -> RULES.contains(finding.rule()))
        .toList();
  }

  /** Rule, severity, confidence and summary, without addresses. */
  static List<String> lines(Sim.Program program) {
    return lines(SimOptions.defaults(), program);
  }

  static List<String> lines(SimOptions options, Sim.Program program) {
    return findings(options, program).stream().map(Cases::line).toList();
  }

  static String line(Finding finding) {
    return finding.rule()
        + " "
        + finding.severity().word()
        + " "
        + finding.confidence().word()
        + ": "
        + plain(finding.summary());
  }

  static String plain(String text) {
    return text.replaceAll(" at 0x[0-9a-f]+", "");
  }

  static Buffer memory(Platform platform) {
    return platform.device().allocate(DataType.FLOAT32, MANY);
  }

  static void write(Stream stream, String name, Buffer... buffers) {
    int[] all = indices(buffers);
    stream.launch(
        Kernel.named(name).takes(100_000).writes(all).build(), Programs.SMALL, (Object[]) buffers);
  }

  static void read(Stream stream, String name, Buffer... buffers) {
    int[] all = indices(buffers);
    stream.launch(
        Kernel.named(name).takes(100_000).reads(all).build(), Programs.SMALL, (Object[]) buffers);
  }

  static void convert(Stream stream, String name, Buffer from, Buffer to) {
    stream.launch(
        Kernel.named(name).takes(100_000).reads(0).writes(1).build(), Programs.SMALL, from, to);
  }

  private static int[] indices(Buffer... buffers) {
    int[] all = new int[buffers.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = i;
    }
    return all;
  }
}
