package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.finding.Confidence;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.rule.CollectiveCalls.Called;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.CollectiveView;
import dev.eddyline.analysis.timeline.GroupView;
import dev.eddyline.analysis.timeline.RecordView;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The event that stands for a collective was recorded before the collective was enqueued, while a
 * group was still open for example: a wait for it waits for none of the collective. Needs no
 * reader, and a device sync afterwards does not excuse it.
 *
 * <pre>
 *   nccl   groupStart  all-reduce (noted down)  record(e)  groupEnd: launches
 *   s                                                               wait(e): covers nothing of it
 * </pre>
 */
public final class EarlyEvent implements Rule {
  static final String ID = "early-event";

  /** A record that lies between a collective's call and its launch. */
  private record Early(int record, Called first, int collectives, boolean isHandle) {}

  private record Group(String communicator, boolean isHandle, int stream) {}

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "The event was recorded before the work it stands for was enqueued: a wait for it waits"
        + " for none of that work.";
  }

  @Override
  public boolean isAboutCorrectness() {
    return true;
  }

  @Override
  public @org.jspecify.annotations.Nullable String notEvaluatedBecause(Facts facts) {
    int without = CollectiveCalls.withoutLaunch(facts);
    boolean foreign = CollectiveCalls.of(facts).isEmpty() && without > 0;
    return foreign && !LibraryCalls.areThere(facts)
        ? "the trace does not say when within a collective's call its library was called"
        : null;
  }

  /** Rows of the collectives whose event was recorded too early. */
  static Set<Integer> collectives(Facts facts) {
    Set<Integer> rows = new LinkedHashSet<>();
    find(facts, rows);
    return rows;
  }

  /** Rows of the records that were made too early. */
  static Set<Integer> records(Facts facts) {
    return find(facts, new LinkedHashSet<>()).keySet();
  }

  private static Map<Integer, Early> find(Facts facts, Set<Integer> collectives) {
    Map<Integer, Early> byRecord = new LinkedHashMap<>();
    RecordsOfStreams records = new RecordsOfStreams(facts.graph());
    List<Called> calls = new ArrayList<>(CollectiveCalls.of(facts));
    calls.addAll(LibraryCalls.of(facts));
    CallView call = facts.timeline().calls();
    for (Called called : calls) {
      long launched = call.at(called.launch()).start();
      for (int record : records.between(called.stream(), called.startNs(), launched)) {
        if (add(record, called, facts.timeline(), byRecord)) {
          collectives.add(called.row());
        }
      }
    }
    return byRecord;
  }

  @Override
  public List<Finding> evaluate(Facts facts) {
    Map<Integer, Early> byRecord = find(facts, new LinkedHashSet<>());
    Map<Group, List<Early>> groups = new LinkedHashMap<>();
    CollectiveView view = facts.timeline().collectives();
    for (Early early : byRecord.values()) {
      Called first = early.first();
      Group key = new Group(view.at(first.row()).communicator(), early.isHandle(), first.stream());
      groups.computeIfAbsent(key, k -> new ArrayList<>()).add(early);
    }
    List<Finding> findings = new ArrayList<>();
    groups.forEach((key, of) -> findings.add(finding(key, of, facts)));
    return findings;
  }

  private static boolean add(int row, Called called, Timeline timeline, Map<Integer, Early> found) {
    RecordView record = timeline.records().at(row);
    boolean handle = called.workEvent() >= 0 && record.event() == called.workEvent();
    if (called.workEvent() >= 0 && !handle) {
      return false;
    }
    Early known = found.get(row);
    found.put(
        row,
        known == null
            ? new Early(row, called, 1, handle)
            : new Early(row, known.first(), known.collectives() + 1, known.isHandle() || handle));
    return true;
  }

  private static Finding finding(Group key, List<Early> group, Facts facts) {
    StreamGraph graph = facts.graph();
    String stream = facts.timeline().stream(key.stream()).label();
    FindingDraft draft =
        new FindingDraft(facts, ID, key.isHandle() ? Severity.ERROR : Severity.WARNING);
    draft.confidence(key.isHandle() ? Confidence.CERTAIN : Confidence.LIKELY);
    for (Early early : group) {
      draft.atCall(graph.links().callOfRecord(early.record()), key.stream());
    }
    Early first = group.get(0);
    draft.explain(firstTime(first, facts)).explain(readers(group, facts));
    draft.explain(
        "It needs no reader to be wrong, and a device sync afterwards does not mend it: that holds"
            + " the host, while the streams had gone on before.");
    if (!key.isHandle()) {
      draft.sure(
          "the record lies before the launch on the same stream: it covers nothing of the"
              + " collective");
      draft.guessed("that this event is meant to stand for the collective");
    }
    String of = Words.ofGroup(key.communicator());
    String summary =
        "An event for collectives"
            + of
            + " was recorded on stream "
            + stream
            + " before the work it stands for was launched, "
            + Words.times(group.size())
            + ": a wait for it waits for none of them.";
    return draft.make(
        "the event was recorded before the work it stands for",
        summary,
        "Record the event after the outermost group has been closed, and with a non-blocking"
            + " communicator after the library says that the launch has happened. The process"
            + " group's coalesce() does both, and gives one Work for the block.");
  }

  private static String firstTime(Early early, Facts facts) {
    Timeline timeline = facts.timeline();
    Called called = early.first();
    CallView call = timeline.calls();
    long recorded = call.at(facts.graph().links().callOfRecord(early.record())).start();
    long by = call.correlation();
    int thread = call.thread();
    long launched = call.at(called.launch()).start();
    long launch = call.correlation();
    String collective = CollectiveCalls.words(timeline.collectives().at(called.row()));
    int depth = CollectiveCalls.depthAt(timeline, thread, recorded);
    String deep =
        depth == 0 ? "with no group open" : Words.count(depth, "group", "groups") + " deep";
    String groups = timeline.groups().size() == 0 ? "" : ", " + deep;
    return "The first time call "
        + by
        + " recorded it "
        + Words.ms(recorded - called.startNs())
        + " after "
        + collective
        + (early.collectives() > 1 ? " and " + (early.collectives() - 1) + " more were" : " was")
        + " called"
        + groups
        + "; "
        + closedBy(timeline, called, launched)
        + " launched the work "
        + Words.ms(launched - recorded)
        + " later (call "
        + launch
        + ").";
  }

  /** Who closed the group that the collective was called in. */
  private static String closedBy(Timeline timeline, Called called, long launched) {
    int outermost = CollectiveCalls.outermostAt(timeline, called.thread(), called.startNs());
    if (outermost < 0) {
      return "the library";
    }
    GroupView group = timeline.groups().at(outermost);
    String end =
        "the end of the outermost group, "
            + Words.ms(group.end() - called.startNs())
            + " after the call,";
    return launched > group.end() ? "behind " + end + " the library's own thread" : end;
  }

  private static String readers(List<Early> group, Facts facts) {
    Set<String> waiters = new LinkedHashSet<>();
    int waits = 0;
    Set<Integer> records = new LinkedHashSet<>();
    group.forEach(early -> records.add(early.record()));
    for (int i = 0; i < facts.graph().bindings().size(); i++) {
      if (records.contains(facts.graph().bindings().record(i))) {
        waits++;
        int stream = facts.timeline().waits().at(i).stream();
        waiters.add(stream < 0 ? "?" : facts.timeline().stream(stream).label());
      }
    }
    return waits == 0
        ? "No stream waits for these records."
        : (waiters.size() == 1 ? "Stream " : "Streams ")
            + Words.list(List.copyOf(waiters))
            + (waiters.size() == 1 ? " waits" : " wait")
            + " for them, "
            + Words.times(waits)
            + ", and "
            + (waiters.size() == 1 ? "goes" : "go")
            + " on at once.";
  }
}
