package dev.eddyline.analysis.graph;

import dev.eddyline.analysis.timeline.ApiKind;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.RecordView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.WaitView;
import java.util.Arrays;

/**
 * From a call to what it made, and per thread the calls that order things: launches, records,
 * waits, host syncs.
 */
public final class CallLinks {
  private final int[] recordCall;
  private final int[] waitCall;
  private final int[] opOfCall;
  private final int[] firstOfThread;
  private final int[] ordering;

  CallLinks(Timeline timeline, StreamOps ops) {
    RecordView record = timeline.records();
    recordCall = new int[record.size()];
    for (int i = 0; i < recordCall.length; i++) {
      recordCall[i] = record.at(i).call();
    }
    WaitView wait = timeline.waits();
    waitCall = new int[wait.size()];
    for (int i = 0; i < waitCall.length; i++) {
      waitCall[i] = wait.at(i).call();
    }
    CallView call = timeline.calls();
    opOfCall = new int[call.size()];
    Arrays.fill(opOfCall, -1);
    OpView op = timeline.ops();
    for (int i = op.size() - 1; i >= 0; i--) {
      int launch = ops.callOf(i);
      if (launch >= 0) {
        opOfCall[launch] = i;
      }
    }
    int threads = timeline.threads().size();
    firstOfThread = new int[threads + 1];
    for (int i = 0; i < call.size(); i++) {
      if (orders(call.at(i).kind())) {
        firstOfThread[call.thread() + 1]++;
      }
    }
    for (int t = 0; t < threads; t++) {
      firstOfThread[t + 1] += firstOfThread[t];
    }
    ordering = new int[firstOfThread[threads]];
    int[] next = Arrays.copyOf(firstOfThread, threads);
    for (int i = 0; i < call.size(); i++) {
      if (orders(call.at(i).kind())) {
        ordering[next[call.thread()]++] = i;
      }
    }
  }

  private static boolean orders(ApiKind kind) {
    return kind.isLaunch()
        || kind.isHostSync()
        || kind == ApiKind.EVENT_RECORD
        || kind == ApiKind.STREAM_WAIT_EVENT;
  }

  /** Call of a record, or -1. */
  public int callOfRecord(int record) {
    return recordCall[record];
  }

  /** Call of a wait, or -1. */
  public int callOfWait(int wait) {
    return waitCall[wait];
  }

  /** The record that a call made, or -1. */
  public int recordOf(int call) {
    return find(recordCall, call);
  }

  /** The wait that a call made, or -1. */
  public int waitOf(int call) {
    return find(waitCall, call);
  }

  /** The first op that a call enqueued, or -1. */
  public int opOf(int call) {
    return opOfCall[call];
  }

  /** Whether a thread makes calls that order things; a watchdog only asks. */
  public boolean hasOrderingCalls(int thread) {
    return firstOfThread[thread] < firstOfThread[thread + 1];
  }

  /** Whether a thread made an ordering call that began in [from, to). */
  public boolean hasOrderingCallIn(CallView call, int thread, long from, long to) {
    int slot = slotAt(call, thread, from);
    return slot < firstOfThread[thread + 1] && call.at(ordering[slot]).start() < to;
  }

  /** Rows of the ordering calls of a thread that began at or after a time, in order. */
  public Iterable<Integer> orderingCalls(CallView call, int thread, long from) {
    int begin = slotAt(call, thread, from);
    int end = firstOfThread[thread + 1];
    return () -> Arrays.stream(ordering, begin, end).iterator();
  }

  /** First slot of a thread in the sequence of ordering calls. */
  int firstSlot(int thread) {
    return firstOfThread[thread];
  }

  /** Slot after the last one of a thread. */
  int endSlot(int thread) {
    return firstOfThread[thread + 1];
  }

  /** Row of the call in a slot. */
  int callAt(int slot) {
    return ordering[slot];
  }

  /** First slot of a thread whose call begins at or after a time. */
  int slotAt(CallView call, int thread, long time) {
    int low = firstOfThread[thread];
    int high = firstOfThread[thread + 1];
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (call.at(ordering[middle]).start() < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Rows without a call stand at the end of their table, so the part before them is sorted. */
  private static int find(int[] calls, int call) {
    int low = 0;
    int high = calls.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (calls[middle] >= 0 && calls[middle] < call) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < calls.length && calls[low] == call ? low : -1;
  }
}
