package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.rule.CollectiveCalls.Called;
import dev.eddyline.analysis.timeline.ApiKind;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.CollectiveView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.SyncView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.RecordType.Sync;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A collective for which nothing waits: no other stream, no host call, no later work of its own
 * stream. A device sync counts only where nothing was launched in between, because what was
 * launched ran on without the collective.
 */
public final class UnawaitedCollective implements Rule {
  static final String ID = "unawaited-collective";
  private static final int MOST_NAMED = 4;

  private record Group(String communicator, String kind) {}

  /** How far each stream is awaited: its ops before a position are. */
  private static final class Awaited {
    private final int[] position;

    Awaited(int streams) {
      position = new int[streams];
    }

    void upTo(int stream, int covered) {
      position[stream] = Math.max(position[stream], covered);
    }

    boolean has(int stream, int index) {
      return index < position[stream];
    }
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "A collective was launched and nothing waits for it: no stream, no host call, no later"
        + " work of its stream.";
  }

  @Override
  public boolean isAboutCorrectness() {
    return true;
  }

  @Override
  public @org.jspecify.annotations.Nullable String notEvaluatedBecause(Facts facts) {
    if (CollectiveCalls.of(facts).isEmpty()) {
      return CollectiveCalls.withoutLaunch(facts) > 0
          ? "the trace does not say on which stream each collective was called"
          : null;
    }
    for (int i = 0; i < facts.graph().bindings().size(); i++) {
      if (facts.graph().bindings().isUnknown(i)) {
        return "needs to know what every wait waits for";
      }
    }
    return null;
  }

  @Override
  public List<Finding> evaluate(Facts facts) {
    Awaited awaited = awaited(facts);
    Map<Group, List<Called>> groups = new LinkedHashMap<>();
    CollectiveView view = facts.timeline().collectives();
    Set<Integer> early = EarlyEvent.collectives(facts);
    for (Called called : CollectiveCalls.of(facts)) {
      view.at(called.row());
      // An event that was recorded too early is said instead, once.
      if (called.op() < 0 || !CollectiveCalls.givesData(view) || early.contains(called.row())) {
        continue;
      }
      int index = facts.graph().ops().indexOf(called.op());
      if (!awaited.has(called.stream(), index) && hasOthers(called, facts)) {
        groups
            .computeIfAbsent(new Group(view.communicator(), view.kind()), k -> new ArrayList<>())
            .add(called);
      }
    }
    List<Finding> findings = new ArrayList<>();
    groups.forEach((key, of) -> findings.add(finding(key, of, facts)));
    return findings;
  }

  private static Awaited awaited(Facts facts) {
    StreamGraph graph = facts.graph();
    Timeline timeline = facts.timeline();
    Awaited awaited = new Awaited(timeline.streams().size());
    for (int i = 0; i < graph.bindings().size(); i++) {
      int source = graph.bindings().source(i);
      int waiter = timeline.waits().at(i).stream();
      if (source >= 0 && source != waiter && !graph.bindings().isNcclInternal(i)) {
        awaited.upTo(source, graph.coveredBy(i));
      }
    }
    OpView op = timeline.ops();
    for (int s = 0; s < timeline.streams().size(); s++) {
      for (int i = graph.ops().count(s) - 1; i >= 0; i--) {
        if (!graph.collectives().isCollective(op.at(graph.ops().op(s, i)))) {
          awaited.upTo(s, i);
          break;
        }
      }
    }
    byHost(facts, awaited);
    return awaited;
  }

  /** Syncs and queries that succeeded. */
  private static void byHost(Facts facts, Awaited awaited) {
    StreamGraph graph = facts.graph();
    Timeline timeline = facts.timeline();
    CallView call = timeline.calls();
    SyncView sync = timeline.syncs();
    long[] lastLaunch = new long[timeline.processes().size()];
    Arrays.fill(lastLaunch, Long.MIN_VALUE);
    for (int i = 0; i < call.size(); i++) {
      ApiKind kind = call.at(i).kind();
      if (kind.isLaunch() && launchesOther(graph, timeline, i)) {
        lastLaunch[call.process()] = call.start();
      } else if (kind == ApiKind.DEVICE_SYNC) {
        deviceSync(facts, call, lastLaunch[call.process()], awaited);
      } else if ((kind.isHostSync() || kind.isPoll()) && call.result() <= 0) {
        int row = graph.syncTargets().syncOf(i);
        if (row >= 0 && !isWatchdog(graph, call)) {
          one(graph, sync.at(row), call.at(i).start(), awaited);
        }
      }
    }
  }

  /** A thread that only asks may be a watchdog, or hand over to one that goes on. */
  private static boolean isWatchdog(StreamGraph graph, CallView call) {
    return call.kind().isPoll()
        && !graph.links().hasOrderingCalls(call.thread())
        && !othersGoOn(graph, call);
  }

  private static boolean othersGoOn(StreamGraph graph, CallView call) {
    Timeline timeline = graph.timeline();
    CollectiveView view = timeline.collectives();
    Set<Integer> callers = new LinkedHashSet<>();
    for (int i = 0; i < view.size(); i++) {
      callers.add(view.at(i).thread());
    }
    CallView other = timeline.calls();
    for (int t = 0; t < timeline.threads().size(); t++) {
      if (!callers.contains(t)
          && timeline.thread(t).process() == call.process()
          && graph.links().hasOrderingCallIn(other, t, call.end(), Long.MAX_VALUE)) {
        return true;
      }
    }
    return false;
  }

  private static boolean launchesOther(StreamGraph graph, Timeline timeline, int callRow) {
    int op = graph.links().opOf(callRow);
    return op >= 0 && !graph.collectives().isCollective(timeline.ops().at(op));
  }

  /** Covers what was enqueued since the last launch of something else. */
  private static void deviceSync(Facts facts, CallView call, long lastLaunch, Awaited awaited) {
    StreamGraph graph = facts.graph();
    Timeline timeline = facts.timeline();
    for (int s = 0; s < timeline.streams().size(); s++) {
      if (timeline.stream(s).process() != call.process()) {
        continue;
      }
      int end = graph.ops().positionAt(s, call.start());
      if (lastLaunch == Long.MIN_VALUE || graph.ops().positionAt(s, lastLaunch) < end) {
        awaited.upTo(s, end);
      }
    }
  }

  private static void one(StreamGraph graph, SyncView sync, long time, Awaited awaited) {
    if (sync.kind() == Sync.KIND_STREAM && sync.stream() >= 0) {
      awaited.upTo(sync.stream(), graph.ops().positionAt(sync.stream(), time));
    }
    int record = graph.syncTargets().recordOf(sync.row());
    int stream = record < 0 ? -1 : graph.bindings().recordStream(record);
    if (stream >= 0) {
      awaited.upTo(stream, graph.recordPosition(record));
    }
  }

  /** Whether the process ran anything but collectives afterwards: something that could need it. */
  private static boolean hasOthers(Called called, Facts facts) {
    StreamGraph graph = facts.graph();
    Timeline timeline = facts.timeline();
    long launched = timeline.calls().at(called.launch()).start();
    int process = timeline.stream(called.stream()).process();
    for (int s = 0; s < timeline.streams().size(); s++) {
      if (s == called.stream() || timeline.stream(s).process() != process) {
        continue;
      }
      int from = graph.ops().positionAt(s, launched);
      for (int i = from; i < graph.ops().count(s); i++) {
        if (!graph.collectives().isCollective(timeline.ops().at(graph.ops().op(s, i)))) {
          return true;
        }
      }
    }
    return false;
  }

  private static Finding finding(Group key, List<Called> calls, Facts facts) {
    CollectiveView view = facts.timeline().collectives();
    FindingDraft draft =
        new FindingDraft(facts, ID, Severity.WARNING).confidence(Confidence.LIKELY);
    Set<Integer> launches = new LinkedHashSet<>();
    List<String> names = new ArrayList<>();
    for (Called called : calls) {
      if (launches.add(called.launch())) {
        draft.atCall(called.launch(), called.stream());
      }
      names.add(CollectiveCalls.words(view.at(called.row())));
    }
    boolean handle = calls.stream().anyMatch(called -> called.workEvent() >= 0);
    String of = Words.ofGroup(key.communicator());
    String shown =
        names.size() <= MOST_NAMED
            ? Words.list(names)
            : String.join(", ", names.subList(0, MOST_NAMED)) + ", ..";
    String kind = dev.eddyline.analysis.graph.Collectives.kindWord(key.kind());
    draft.explain(
        "Nothing waits for "
            + shown
            + of
            + ": no other stream, no later work of its own stream, no sync of it"
            + (handle ? ", and nobody waits on the handles." : "; no event was recorded for it."));
    draft.explain(
        "A device sync that comes after other work was launched does not count: that work ran on"
            + " without waiting.");
    draft.sure("no path leads from these collectives to any later work of another stream");
    draft.guessed("that later work uses what they give");
    return draft.make(
        "nothing waits for the " + kind,
        Words.count(calls.size(), kind, kind + "s")
            + of
            + (calls.size() == 1 ? " was" : " were")
            + " launched and never waited for: no stream and no host call comes after "
            + (calls.size() == 1 ? "it." : "them."),
        "Wait for the Work on the stream that uses the result: work.waitOnStream() right before the"
            + " first use. A group of calls needs one handle that covers all of them.");
  }
}
