package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.blame.HostBlockFinder;
import dev.eddyline.analysis.finding.Coverage;
import dev.eddyline.analysis.finding.Coverage.Answer;
import dev.eddyline.analysis.finding.Coverage.Verdict;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.graph.WaitBindings;
import dev.eddyline.analysis.timeline.AccessView;
import dev.eddyline.analysis.timeline.ApiKind;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.ProcessInfo;
import dev.eddyline.analysis.timeline.SyncView;
import dev.eddyline.analysis.timeline.Table;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Access;
import dev.eddyline.trace.RecordType.Loss;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Counts what share of the facts a trace holds, and says which questions it can answer. */
final class CoverageMaker {
  private final Facts facts;
  private final Timeline timeline;
  private int waits;
  private int recorded;
  private int inferred;
  private int unknown;
  private int empty;
  private int internal;
  private int noStream;
  private int hostSyncs;
  private int withTarget;
  private int streamSyncs;
  private int deviceSyncs;
  private int polls;
  private int graphLaunches;
  private int graphOps;
  private final Set<Integer> waiters = new TreeSet<>();

  private CoverageMaker(Facts facts) {
    this.facts = facts;
    this.timeline = facts.timeline();
  }

  static Coverage of(Facts facts) {
    CoverageMaker maker = new CoverageMaker(facts);
    maker.countWaits();
    maker.countCalls();
    return maker.make();
  }

  private void countWaits() {
    WaitBindings bindings = facts.graph().bindings();
    var wait = timeline.waits();
    for (int i = 0; i < bindings.size(); i++) {
      waits++;
      if (wait.at(i).stream() < 0) {
        noStream++;
      } else {
        waiters.add(wait.stream());
      }
      if (bindings.isEmpty(i)) {
        empty++;
      } else if (bindings.isUnknown(i)) {
        unknown++;
      } else if (bindings.rule(i).isRecorded()) {
        recorded++;
      } else {
        inferred++;
      }
      internal += bindings.isNcclInternal(i) ? 1 : 0;
    }
  }

  private void countCalls() {
    CallView call = timeline.calls();
    SyncView sync = timeline.syncs();
    StreamGraph graph = facts.graph();
    for (int i = 0; i < call.size(); i++) {
      ApiKind kind = call.at(i).kind();
      polls += kind.isPoll() ? 1 : 0;
      graphLaunches += kind == ApiKind.GRAPH_LAUNCH ? 1 : 0;
      if (kind.isHostSync()) {
        hostSyncs++;
        boolean device = kind == ApiKind.DEVICE_SYNC;
        deviceSyncs += device ? 1 : 0;
        boolean named = device || HostBlockFinder.hasTarget(graph, sync, i);
        withTarget += named ? 1 : 0;
        streamSyncs += !device && named ? 1 : 0;
      }
    }
    OpView op = timeline.ops();
    for (int i = 0; i < op.size(); i++) {
      int launch = graph.ops().callOf(op.at(i).row());
      if (op.graph() > 0 || launch >= 0 && call.at(launch).kind() == ApiKind.GRAPH_LAUNCH) {
        graphOps++;
      }
    }
  }

  private Coverage make() {
    Set<Integer> ranks = new HashSet<>();
    int expected = -1;
    for (ProcessInfo process : timeline.processes()) {
      ranks.add(process.rank());
      expected = Math.max(expected, process.worldSize());
    }
    int loaded = ranks.size();
    return new Coverage(
        waits,
        recorded,
        inferred,
        unknown,
        empty,
        internal,
        noStream,
        hostSyncs,
        withTarget,
        polls,
        graphLaunches,
        graphOps,
        dropped(),
        loaded,
        expected,
        timeline.accesses().size() > 0,
        answers(loaded, expected));
  }

  private @org.jspecify.annotations.Nullable Long dropped() {
    Table losses = timeline.table(RecordType.LOSS);
    if (losses.size() == 0) {
      return null;
    }
    long sum = 0;
    for (int i = 0; i < losses.size(); i++) {
      sum += losses.get(i, Loss.COUNT);
    }
    return sum;
  }

  private List<Answer> answers(int loaded, int expected) {
    List<Answer> answers = new ArrayList<>();
    if (waits > 0 && unknown == waits && noStream == waits) {
      answers.add(new Answer("which calls held the host", Verdict.YES, "yes", ""));
      answers.add(forWhichWork());
      answers.add(
          new Answer(
              "which stream waits for which",
              Verdict.NO,
              "NO",
              waits
                  + " cudaStreamWaitEvent calls; the file holds neither their streams nor "
                  + (eventRows() ? "which record each waits for" : "a single event record")));
    } else {
      answers.add(hostBlocking());
      if (waits > 0) {
        answers.add(waitsByStream());
        answers.add(whatWaitsWaitFor());
      } else {
        answers.add(
            new Answer(
                "which stream waits for which", Verdict.YES, "yes", "no stream waits were made"));
      }
    }
    if (graphLaunches > 0) {
      answers.add(
          new Answer(
              "inside CUDA graphs",
              Verdict.NO,
              "NO",
              graphLaunches + " launches, " + graphOps + " ops, no node dependencies"));
    }
    answers.add(memory());
    if (expected > 1) {
      boolean all = loaded >= expected;
      answers.add(
          new Answer(
              "other ranks",
              all ? Verdict.YES : Verdict.NO,
              all ? "yes" : "no",
              loaded + " of " + expected + " loaded"));
    }
    return answers;
  }

  private Answer memory() {
    AccessView access = timeline.accesses();
    if (access.size() == 0) {
      return new Answer("memory", Verdict.NO, "no", "no addresses");
    }
    BitSet named = new BitSet();
    boolean guesses = false;
    for (int i = 0; i < access.size(); i++) {
      int call =
          access.at(i).isByHost() ? -1 : timeline.callOf(access.process(), access.correlation());
      if (call >= 0) {
        named.set(call);
      }
      guesses |=
          access.certainty() == Access.CERTAINTY_GUESSED || access.kind() == Access.KIND_UNKNOWN;
    }
    int ops = timeline.ops().size();
    String what =
        "what "
            + Math.min(ops, named.cardinality())
            + " of "
            + Words.count(ops, "op uses", "ops use")
            + (guesses ? ", of some the block only" : "");
    boolean some = named.cardinality() * 2 >= ops;
    return new Answer("memory", some ? Verdict.YES : Verdict.PARTLY, some ? "yes" : "partly", what);
  }

  private boolean eventRows() {
    Table records = timeline.table(RecordType.RECORD);
    for (int i = 0; i < records.size(); i++) {
      if (records.get(i, RecordType.EventRecord.STREAM) >= 0) {
        return true;
      }
    }
    return false;
  }

  private Answer hostBlocking() {
    if (withTarget < hostSyncs) {
      return forWhichWork("host blocking");
    }
    String detail =
        Words.count(streamSyncs, "stream or event sync", "stream or event syncs")
            + " with what they wait for, "
            + Words.count(deviceSyncs, "device sync", "device syncs");
    return new Answer("host blocking", Verdict.YES, "yes", detail);
  }

  private Answer forWhichWork() {
    return forWhichWork("for which GPU work");
  }

  private Answer forWhichWork(String question) {
    if (withTarget == hostSyncs) {
      return new Answer(question, Verdict.YES, "yes", "");
    }
    return new Answer(
        question,
        Verdict.PARTLY,
        "partly",
        "a stream sync has no stream here: taken from what ended just before it returned");
  }

  private Answer waitsByStream() {
    List<String> names = waiters.stream().map(s -> timeline.stream(s).label()).toList();
    String named = names.isEmpty() ? "" : "for " + Words.list(names);
    String open =
        noStream == 0
            ? ""
            : (named.isEmpty() ? "" : "; ")
                + noStream
                + " of "
                + waits
                + " waits are on streams that ran nothing here";
    Verdict verdict = noStream < waits ? Verdict.YES : Verdict.NO;
    return new Answer(
        "waits by a stream", verdict, verdict == Verdict.YES ? "yes" : "no", named + open);
  }

  private Answer whatWaitsWaitFor() {
    int known = recorded + inferred + empty;
    String detail =
        (inferred > 0 ? inferred + " inferred; " : "") + recorded + " of " + waits + " recorded";
    Verdict verdict = Verdict.PARTLY;
    if (known == waits) {
      verdict = Verdict.YES;
    } else if (known == 0) {
      verdict = Verdict.NO;
    }
    String value = recorded + empty == waits ? "yes" : known + " of " + waits;
    return new Answer("what a wait waits for", verdict, value, detail);
  }
}
