package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.SyncView;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call about a stream or event of one device failed on a thread that works on another one.
 * Waiting for an event of another device is allowed, so only calls that returned an error count.
 */
public final class WrongDevice implements Rule {
  static final String ID = "wrong-device";

  private record Failed(int call, int ofDevice, int threadDevice) {}

  private record Group(String name, int thread, int ofDevice, int threadDevice, long result) {}

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "A call about a stream or event of one device failed on a thread that works on another.";
  }

  @Override
  public boolean isAboutCorrectness() {
    return true;
  }

  @Override
  public @Nullable String notEvaluatedBecause(Facts facts) {
    return ApiErrors.areThere(facts.timeline())
        ? null
        : "the trace does not hold what calls returned";
  }

  @Override
  public List<Finding> evaluate(Facts facts) {
    Map<Group, List<Failed>> groups = new LinkedHashMap<>();
    Timeline timeline = facts.timeline();
    CallView call = timeline.calls();
    int[] deviceOfThread = firstDevices(facts);
    for (int i = 0; i < call.size(); i++) {
      int thread = call.at(i).thread();
      int launched = facts.graph().links().opOf(i);
      if (launched >= 0) {
        deviceOfThread[thread] = timeline.stream(timeline.ops().at(launched).stream()).device();
      }
      if (!ApiErrors.isWrongHandle(call.result())) {
        continue;
      }
      int of = deviceOf(i, facts);
      if (of >= 0 && deviceOfThread[thread] >= 0 && of != deviceOfThread[thread]) {
        Group key = new Group(call.name(), thread, of, deviceOfThread[thread], call.result());
        groups
            .computeIfAbsent(key, k -> new ArrayList<>())
            .add(new Failed(i, of, deviceOfThread[thread]));
      }
    }
    List<Finding> findings = new ArrayList<>();
    groups.forEach((key, failed) -> findings.add(finding(key, failed, facts)));
    return findings;
  }

  /** The device of the first launch of each thread, -1 for one that launches nothing. */
  private static int[] firstDevices(Facts facts) {
    Timeline timeline = facts.timeline();
    int[] devices = new int[timeline.threads().size()];
    java.util.Arrays.fill(devices, -1);
    CallView call = timeline.calls();
    for (int i = call.size() - 1; i >= 0; i--) {
      int launched = facts.graph().links().opOf(i);
      if (launched >= 0) {
        int stream = timeline.ops().at(launched).stream();
        devices[call.at(i).thread()] = timeline.stream(stream).device();
      }
    }
    return devices;
  }

  /** The device of the stream or event that a call is about, -1 if not known. */
  private static int deviceOf(int callRow, Facts facts) {
    StreamGraph graph = facts.graph();
    Timeline timeline = facts.timeline();
    int stream = -1;
    int row = graph.syncTargets().syncOf(callRow);
    if (row >= 0) {
      SyncView sync = timeline.syncs().at(row);
      int record = graph.syncTargets().recordOf(row);
      stream =
          sync.stream() >= 0 || record < 0 ? sync.stream() : graph.bindings().recordStream(record);
    }
    int wait = graph.links().waitOf(callRow);
    if (wait >= 0) {
      stream = timeline.waits().at(wait).stream();
    }
    int record = graph.links().recordOf(callRow);
    if (record >= 0) {
      stream = graph.bindings().recordStream(record);
    }
    return stream < 0 ? -1 : timeline.stream(stream).device();
  }

  private static Finding finding(Group key, List<Failed> failed, Facts facts) {
    FindingDraft draft =
        new FindingDraft(facts, ID, Severity.WARNING).confidence(Confidence.LIKELY);
    failed.forEach(one -> draft.atCall(one.call(), -1));
    draft.sure("what the call returned, and which device its stream or event belongs to");
    draft.guessed(
        "that its thread worked on device "
            + key.threadDevice()
            + ": its launches went there; a trace does not hold cudaSetDevice's argument");
    String thread = facts.timeline().thread(key.thread()).label();
    return draft.make(
        "a call was made for another device's stream or event",
        key.name()
            + " on "
            + thread
            + ", which works on device "
            + key.threadDevice()
            + ", was about device "
            + key.ofDevice()
            + " and returned error "
            + ApiErrors.words(key.result())
            + (failed.size() > 1 ? ", " + Words.times(failed.size()) : "")
            + ".",
        "Set the device of the stream or event before the call. Threads that clean up for others"
            + " (deallocators, a garbage collector's) must take the device from what they free.");
  }
}
