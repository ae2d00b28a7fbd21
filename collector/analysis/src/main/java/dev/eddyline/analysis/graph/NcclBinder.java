package dev.eddyline.analysis.graph;

import dev.eddyline.analysis.timeline.ApiKind;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.CollectiveView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.WaitView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds what the waits around collectives wait for, from the order in which NCCL and c10d (the
 * collective library of PyTorch) make their calls:
 *
 * <pre>
 *   collective call   record R1, wait W1        the NCCL stream waits for the current one
 *                     record, wait, LAUNCH,     NCCL's own pair before the kernel
 *                     record, wait              and after it
 *                     record E, record F        Work's end event, future's event, on the NCCL stream
 *   future.then       wait                      the continuation's stream waits for F
 *   Work.wait()       wait                      the current stream waits for E
 * </pre>
 */
final class NcclBinder {
  private static final long PAIR_GAP_NS = 100_000;
  private static final long CONTINUATION_GAP_NS = 500_000;
  private static final String WORK_END_CALL = "WithFlags";

  private record Pending(int workRecord, int stream) {}

  /**
   * The collectives of a group that no Work.wait has awaited yet. After an ambiguous wait it is not
   * known which of them is left, so all stay until there were as many waits as collectives.
   */
  private static final class Unawaited {
    private final List<Pending> collectives = new ArrayList<>();
    private int ambiguousWaits;

    void awaitedOne() {
      ambiguousWaits = collectives.size() == 1 ? 1 : ambiguousWaits + 1;
      if (ambiguousWaits >= collectives.size()) {
        collectives.clear();
        ambiguousWaits = 0;
      }
    }
  }

  private final Timeline timeline;
  private final CallView call;
  private final OpView op;
  private final StreamOps ops;
  private final CallLinks links;
  private final Collectives collectives;
  private final WaitBindings bindings;
  private final ScopeIndex scopes;
  private final ScopeIndex ranges;
  private final int[] workRecord;
  private final int[] workStream;

  NcclBinder(
      Timeline timeline,
      StreamOps ops,
      CallLinks links,
      Collectives collectives,
      WaitBindings bindings,
      ScopeIndex scopes,
      ScopeIndex ranges) {
    this.timeline = timeline;
    this.call = timeline.calls();
    this.op = timeline.ops();
    this.ops = ops;
    this.links = links;
    this.collectives = collectives;
    this.bindings = bindings;
    this.scopes = scopes;
    this.ranges = ranges;
    int n = timeline.collectives().size();
    workRecord = new int[n];
    workStream = new int[n];
    java.util.Arrays.fill(workRecord, -1);
    java.util.Arrays.fill(workStream, -1);
  }

  void run() {
    for (int thread = 0; thread < timeline.threads().size(); thread++) {
      for (int slot = links.firstSlot(thread); slot < links.endSlot(thread); slot++) {
        int launched = links.opOf(links.callAt(slot));
        if (launched >= 0 && collectives.isCollective(op.at(launched))) {
          bindAroundLaunch(thread, slot, launched);
        }
      }
    }
    bindEnqueues();
    bindWorkWaits();
  }

  private void bindAroundLaunch(int thread, int slot, int launched) {
    boolean before =
        slot - 2 >= links.firstSlot(thread)
            && isPair(slot - 2)
            && mayBeOwn(bindings.recordStream(recordAt(slot - 2)));
    boolean after =
        slot + 2 < links.endSlot(thread)
            && isPair(slot + 1)
            && mayBeOwn(timeline.waits().at(waitAt(slot + 2)).stream());
    int next = slot + 1;
    if (before && after) {
      bindPair(slot - 2, BindRule.NCCL_LAUNCH);
      bindPair(slot + 1, BindRule.NCCL_LAUNCH);
      markInternal(slot - 1);
      markInternal(slot + 2);
      bindings.inferRecordStream(recordAt(slot + 1), op.at(launched).stream());
      next = slot + 3;
    }
    takeEndRecords(thread, next, launched);
  }

  /** On the stream that NCCL made for itself nothing runs; a source may not name it. */
  private boolean mayBeOwn(int stream) {
    return stream < 0 || ops.count(stream) == 0;
  }

  /** The records after the kernel in the same call lie on the kernel's stream. */
  private void takeEndRecords(int thread, int fromSlot, int launched) {
    int stream = op.at(launched).stream();
    long end = endOfScope(thread, call.at(links.callAt(fromSlot - 1)).start());
    int work = -1;
    int last = -1;
    int slot = fromSlot;
    for (; slot < links.endSlot(thread); slot++) {
      int row = links.callAt(slot);
      if (call.at(row).start() > end) {
        break;
      }
      int record = links.recordOf(row);
      if (record >= 0) {
        bindings.inferRecordStream(record, stream);
        last = record;
        if (work < 0 || call.at(row).name().contains(WORK_END_CALL)) {
          work = record;
        }
      } else if (links.opOf(row) < 0 || op.at(links.opOf(row)).stream() != stream) {
        break;
      }
    }
    int collective = collectives.callOf(launched);
    if (collective >= 0 && work >= 0) {
      workRecord[collective] = work;
      workStream[collective] = stream;
    }
    if (last >= 0) {
      bindContinuation(thread, slot, last, stream);
    }
  }

  private void bindContinuation(int thread, int slot, int record, int stream) {
    if (slot >= links.endSlot(thread)) {
      return;
    }
    int row = links.callAt(slot);
    int wait = links.waitOf(row);
    if (wait < 0 || !bindings.isUnknown(wait) || timeline.waits().at(wait).stream() == stream) {
      return;
    }
    long recorded = call.at(links.callOfRecord(record)).end();
    long waited = call.at(row).start();
    if (waited - recorded <= CONTINUATION_GAP_NS && scopes.innermostAt(thread, waited) < 0) {
      bindings.bind(wait, record, BindRule.C10D_FUTURE);
    }
  }

  private long endOfScope(int thread, long time) {
    int scope = scopes.innermostAt(thread, time);
    if (scope >= 0) {
      return timeline.collectives().at(scope).end();
    }
    var range = timeline.ranges();
    for (int row : ranges.allAt(thread, time)) {
      if (range.at(row).name().startsWith("nccl:")) {
        return range.end();
      }
    }
    return time + PAIR_GAP_NS;
  }

  private boolean isPair(int slot) {
    int record = recordAt(slot);
    int wait = waitAt(slot + 1);
    if (record < 0 || wait < 0) {
      return false;
    }
    long recorded = call.at(links.callAt(slot)).end();
    return call.at(links.callAt(slot + 1)).start() - recorded <= PAIR_GAP_NS;
  }

  private void bindPair(int slot, BindRule rule) {
    int wait = waitAt(slot + 1);
    if (bindings.isUnknown(wait)) {
      bindings.bind(wait, recordAt(slot), rule);
    }
  }

  private void markInternal(int slot) {
    bindings.markNcclInternal(waitAt(slot));
  }

  private int recordAt(int slot) {
    return links.recordOf(links.callAt(slot));
  }

  private int waitAt(int slot) {
    return links.waitOf(links.callAt(slot));
  }

  /** In the call of a collective, the first record and the wait right behind it. */
  private void bindEnqueues() {
    CollectiveView collective = timeline.collectives();
    for (int i = 0; i < collective.size(); i++) {
      if (isWait(collective.at(i))) {
        continue;
      }
      int thread = collective.thread();
      int slot = links.slotAt(call, thread, collective.start());
      long end = collective.end();
      for (; slot + 1 < links.endSlot(thread); slot++) {
        int row = links.callAt(slot);
        if (call.at(row).start() > end || call.kind().isLaunch()) {
          break;
        }
        if (call.kind() == ApiKind.EVENT_RECORD) {
          if (isPair(slot) && !bindings.isNcclInternal(waitAt(slot + 1))) {
            bindPair(slot, BindRule.C10D_ENQUEUE);
          }
          break;
        }
      }
    }
  }

  static boolean isWait(CollectiveView collective) {
    return collective.kind().equals("wait");
  }

  private void bindWorkWaits() {
    Map<Long, Unawaited> open = new HashMap<>();
    CollectiveView collective = timeline.collectives();
    for (int i = 0; i < collective.size(); i++) {
      collective.at(i);
      long key = (long) collective.process() << 32 | collective.communicatorId();
      Unawaited unawaited = open.computeIfAbsent(key, k -> new Unawaited());
      if (!isWait(collective)) {
        if (workRecord[i] >= 0 && !collective.kind().equals("barrier")) {
          unawaited.collectives.add(new Pending(workRecord[i], workStream[i]));
        }
        continue;
      }
      for (int wait : waitsIn(collective)) {
        bindWorkWait(wait, unawaited.collectives);
      }
      unawaited.awaitedOne();
    }
  }

  private List<Integer> waitsIn(CollectiveView collective) {
    List<Integer> found = new ArrayList<>();
    int thread = collective.thread();
    long end = collective.end();
    for (int slot = links.slotAt(call, thread, collective.start());
        slot < links.endSlot(thread) && call.at(links.callAt(slot)).start() < end;
        slot++) {
      int wait = waitAt(slot);
      if (wait >= 0) {
        found.add(wait);
      }
    }
    return found;
  }

  private void bindWorkWait(int wait, List<Pending> unawaited) {
    WaitView view = timeline.waits().at(wait);
    if (!bindings.isUnknown(wait) || unawaited.isEmpty()) {
      return;
    }
    Pending first = unawaited.get(0);
    boolean oneStream = unawaited.stream().allMatch(p -> p.stream() == first.stream());
    if (!oneStream || view.stream() == first.stream()) {
      return;
    }
    if (unawaited.size() == 1) {
      bindings.bind(wait, first.workRecord(), BindRule.C10D_WORK);
    } else {
      bindings.bindToStream(wait, first.stream(), BindRule.C10D_WORK_STREAM);
    }
  }
}
