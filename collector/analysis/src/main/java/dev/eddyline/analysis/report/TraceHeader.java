package dev.eddyline.analysis.report;

import dev.eddyline.analysis.finding.Steps;
import dev.eddyline.analysis.timeline.DeviceInfo;
import dev.eddyline.analysis.timeline.ProcessInfo;
import dev.eddyline.analysis.timeline.SourceInfo;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/** The first lines of a report: which files, which ranks, how long, which streams. */
public final class TraceHeader {
  private static final int MAX_STREAMS = 5;
  private static final int MAX_PROCESSES = 4;
  private static final List<String> SHOWN = List.of("CUDA", "ROCm", "HIP", "NCCL", "RCCL");
  private final Timeline timeline;
  private final Steps steps;

  public TraceHeader(Timeline timeline, Steps steps) {
    this.timeline = timeline;
    this.steps = steps;
  }

  /** One line per file and one per process, as long as they are few. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    List<SourceInfo> sources = timeline.sources();
    List<StreamSummary> streams = StreamSummaries.of(timeline);
    for (int i = 0; i < sources.size(); i++) {
      if (i == MAX_PROCESSES && sources.size() > MAX_PROCESSES + 1) {
        lines.add("and " + (sources.size() - i) + " more files");
        break;
      }
      lines.add(source(i, sources.get(i)));
      for (int process = 0; process < timeline.processes().size(); process++) {
        if (timeline.process(process).source() == i) {
          lines.add(process(process, streams));
        }
      }
    }
    return lines;
  }

  private String source(int index, SourceInfo source) {
    Set<String> facts = new LinkedHashSet<>();
    facts.add(source.format());
    for (String property : SHOWN) {
      String value = source.properties().get(property);
      if (value != null) {
        facts.add(property + " " + value);
      }
    }
    if (facts.size() == 1) {
      facts.add("CUDA version not in the file");
    }
    for (DeviceInfo device : timeline.devices()) {
      if (timeline.process(device.process()).source() == index && isUsed(device)) {
        facts.add(device.name());
      }
    }
    return source.file() + "   " + String.join(", ", facts);
  }

  private boolean isUsed(DeviceInfo device) {
    return !device.name().isEmpty()
        && timeline.streams().stream()
            .anyMatch(s -> s.process() == device.process() && s.device() == device.ordinal());
  }

  private String process(int index, List<StreamSummary> streams) {
    List<String> facts = new ArrayList<>();
    facts.add(title(timeline.process(index)));
    facts.add(duration(index));
    List<String> names = new ArrayList<>();
    for (Steps.Step step : steps.steps()) {
      if (step.process() == index) {
        names.add(step.name());
      }
    }
    if (!names.isEmpty()) {
      facts.add(Words.count(names.size(), "step") + " (" + Words.names(names) + ")");
    }
    TreeMap<Long, String> titles = new TreeMap<>();
    int busy = 0;
    for (StreamSummary stream : streams) {
      if (stream.stream().process() == index && stream.ops() > 0) {
        titles.merge(stream.stream().id(), stream.title(), (a, b) -> a + ", " + b);
        busy++;
      }
    }
    if (busy > MAX_STREAMS) {
      facts.add(busy + " streams");
    } else if (busy == 1) {
      facts.add("stream " + titles.firstEntry().getValue());
    } else if (busy > 1) {
      facts.add("streams " + String.join(", ", titles.values()));
    } else {
      facts.add("no stream ran anything");
    }
    return String.join(", ", facts);
  }

  /** How long the source says that it was recorded, else from the first to the last row. */
  private String duration(int process) {
    long recorded = timeline.sources().get(timeline.process(process).source()).recordedNs();
    long shown = recorded >= 0 ? recorded : TimeSpan.ofProcess(timeline, process).durationNs();
    return Millis.of(shown) + " ms";
  }

  /** "rank 0 of 2", or "process 4711" where the rank is not known. */
  static String title(ProcessInfo process) {
    if (process.rank() >= 0) {
      String of = process.worldSize() > 0 ? " of " + process.worldSize() : "";
      return "rank " + process.rank() + of;
    }
    return process.pid() >= 0 ? "process " + process.pid() : "one process";
  }
}
