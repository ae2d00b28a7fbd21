package dev.eddyline.recorder.marks;

import dev.eddyline.marks.MarkLayout;
import dev.eddyline.recorder.rows.LongIntMap;
import dev.eddyline.recorder.rows.Names;
import dev.eddyline.recorder.rows.TraceRows;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Access;
import dev.eddyline.trace.RecordType.Collective;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Collectives that the program described, joined with the launch that made them. A group's launch
 * is found by the external id that CUPTI attached to the calls of the launching thread; where
 * another thread launched (a communicator that does not block) it is the collective kernel on the
 * group's stream whose call began between the marks around the launch. The Work's event is found by
 * its handle. A group is written when both are known, or three seconds after its end. For the
 * thread that drains.
 */
public final class GroupRows {
  private static final long PATIENCE_NANOS = 3_000_000_000L;
  private static final int REMEMBERED = 1 << 14;

  /** A group of collectives from its first description until it is written. */
  private static final class Group {
    private final List<long[]> collectives = new ArrayList<>();
    private final List<long[]> accesses = new ArrayList<>();
    private long event = -1;
    private long beganAt;
    private long endedAt = -1;
    private int correlation = -1;
  }

  /** A collective kernel that no external id gives to a group. */
  private record Loose(int correlation, int stream) {}

  private final TraceRows rows;
  private final List<Loose> loose = new ArrayList<>();
  private final LongIntMap callSlots = new LongIntMap();
  private final long[] callCorrelations = new long[REMEMBERED];
  private final long[] callStarts = new long[REMEMBERED];
  private int nextCall;
  private final Map<Integer, Group> described = new HashMap<>();
  private final Map<Long, Group> launching = new HashMap<>();
  private final LongIntMap groupOfCorrelation = new LongIntMap();
  private final LongIntMap eventOfHandle = new LongIntMap();
  private final Map<Integer, Long> handleOfCorrelation = new HashMap<>();
  private final Map<Integer, Boolean> isCollective = new HashMap<>();

  public GroupRows(TraceRows rows) {
    this.rows = rows;
  }

  /** A collective was described by the thread that makes it. */
  void described(Mark mark, int stream, int thread) {
    ByteBuffer record = mark.record();
    int numbers = MarkLayout.COLLECTIVE_NUMBERS;
    long[] row = TraceRows.row(RecordType.COLLECTIVE);
    row[Collective.START] = record.getLong(MarkLayout.TIME_OFFSET);
    row[Collective.THREAD] = thread;
    row[Collective.COMMUNICATOR] = rows.writer().string(MarkLayout.text(record, numbers, 0));
    row[Collective.KIND] = rows.writer().string(MarkLayout.text(record, numbers, 1));
    row[Collective.DTYPE] = rows.writer().string(MarkLayout.text(record, numbers, 2));
    row[Collective.SEQUENCE] = MarkLayout.number(record, 0);
    row[Collective.COUNT_IN] = MarkLayout.number(record, 1);
    row[Collective.COUNT_OUT] = MarkLayout.number(record, 2);
    row[Collective.GROUP_SIZE] = MarkLayout.number(record, 3);
    row[Collective.STREAM] = stream;
    Group group = described.computeIfAbsent(mark.tid(), t -> new Group());
    group.collectives.add(row);
    group.event = MarkLayout.number(record, numbers - 1);
    int bytes = elementBytes(MarkLayout.text(record, numbers, 2));
    if (bytes > 0) {
      access(
          group,
          row,
          Access.KIND_READ,
          MarkLayout.number(record, 4),
          bytes * MarkLayout.number(record, 1));
      access(
          group,
          row,
          Access.KIND_WRITE,
          MarkLayout.number(record, 5),
          bytes * MarkLayout.number(record, 2));
    }
  }

  /** Bytes of an element of a type as the process group names it: "f32", "bf16"; 0 if unknown. */
  static int elementBytes(String type) {
    int digits = type.length();
    while (digits > 0 && Character.isDigit(type.charAt(digits - 1))) {
      digits--;
    }
    String bits = type.substring(digits);
    return bits.isEmpty() || bits.length() > 3 ? 0 : Integer.parseInt(bits) / Byte.SIZE;
  }

  private void access(Group group, long[] collective, int kind, long address, long bytes) {
    if (address == 0 || bytes <= 0) {
      return;
    }
    long[] access = TraceRows.row(RecordType.ACCESS);
    access[Access.START] = collective[Collective.START];
    access[Access.PROCESS] = rows.process();
    access[Access.THREAD] = collective[Collective.THREAD];
    access[Access.STREAM] = collective[Collective.STREAM];
    access[Access.KIND] = kind;
    access[Access.SOURCE] = Access.SOURCE_GROUP;
    access[Access.CERTAINTY] = Access.CERTAINTY_EXACT;
    access[Access.MEMORY] = RecordType.Op.MEMORY_DEVICE;
    access[Access.BEGIN] = address;
    access[Access.BYTES] = bytes;
    group.accesses.add(access);
  }

  /** The launch of a thread's group begins. */
  void begin(int tid, long id, long time) {
    Group group = described.remove(tid);
    if (group != null) {
      group.beganAt = time;
      launching.put(id, group);
    }
  }

  /** The launch of a group has been made. */
  void end(long id, long time) {
    Group group = launching.get(id);
    if (group != null) {
      group.endedAt = time;
      for (long[] row : group.collectives) {
        row[Collective.DURATION] = time - row[Collective.START];
      }
    }
  }

  /** A call was made under a group's external id. */
  public void external(long id, int correlation) {
    if (launching.containsKey(id)) {
      groupOfCorrelation.put(correlation, (int) id);
    }
  }

  /** The program called an API; kept as long as groups look for their launch. */
  public void called(int correlation, long start) {
    if (!launching.isEmpty()) {
      callSlots.remove(callCorrelations[nextCall]);
      callCorrelations[nextCall] = correlation;
      callStarts[nextCall] = start;
      callSlots.put(correlation, nextCall);
      nextCall = (nextCall + 1) % REMEMBERED;
    }
  }

  /** A kernel ran. */
  public void kernel(int correlation, int stream, int name, Names names, int shimName) {
    if (launching.isEmpty()
        || !isCollective.computeIfAbsent(name, n -> names.text(shimName).contains("nccl"))) {
      return;
    }
    int id = groupOfCorrelation.get(correlation);
    Group group = id == LongIntMap.ABSENT ? null : launching.get((long) id);
    if (group == null) {
      loose.add(new Loose(correlation, stream));
    } else if (group.correlation < 0) {
      group.correlation = correlation;
    }
  }

  /** A call recorded an event whose handle is watched. */
  public void recorded(int correlation, long handle) {
    if (handleOfCorrelation.size() >= REMEMBERED) {
      handleOfCorrelation.clear();
    }
    handleOfCorrelation.put(correlation, handle);
  }

  /** CUPTI's id of the event that a call recorded. */
  public void event(int correlation, int event) {
    if (!handleOfCorrelation.isEmpty()) {
      Long handle = handleOfCorrelation.remove(correlation);
      if (handle != null) {
        eventOfHandle.put(handle, event);
      }
    }
  }

  /** Writes the groups of which everything is known, or that waited long enough. */
  public void release(long now, boolean all) {
    Iterator<Group> groups = launching.values().iterator();
    while (groups.hasNext()) {
      Group group = groups.next();
      boolean ended = group.endedAt >= 0;
      if (ended && group.correlation < 0 && !loose.isEmpty()) {
        findLaunch(group);
      }
      boolean known =
          group.correlation >= 0
              && (group.event < 0 || eventOfHandle.get(group.event) != LongIntMap.ABSENT);
      if (all || ended && (known || now - group.endedAt > PATIENCE_NANOS)) {
        write(group);
        groups.remove();
      }
    }
    if (launching.isEmpty()) {
      loose.clear();
      if (groupOfCorrelation.size() > REMEMBERED) {
        groupOfCorrelation.clear();
      }
    }
  }

  /** The first kernel on the group's stream whose call lies between the marks of its launch. */
  private void findLaunch(Group group) {
    long stream = group.collectives.get(0)[Collective.STREAM];
    Loose found = null;
    long foundStart = Long.MAX_VALUE;
    for (Loose kernel : loose) {
      int slot = kernel.stream() == stream ? callSlots.get(kernel.correlation()) : -1;
      if (slot >= 0
          && callStarts[slot] >= group.beganAt
          && callStarts[slot] <= group.endedAt
          && callStarts[slot] < foundStart) {
        found = kernel;
        foundStart = callStarts[slot];
      }
    }
    if (found != null) {
      group.correlation = found.correlation();
      loose.remove(found);
    }
  }

  private void write(Group group) {
    int event = group.event < 0 ? LongIntMap.ABSENT : eventOfHandle.get(group.event);
    for (long[] row : group.collectives) {
      row[Collective.CORRELATION] =
          group.correlation < 0 ? RecordType.NONE : group.correlation & 0xFFFFFFFFL;
      row[Collective.WORK_EVENT] = event == LongIntMap.ABSENT ? RecordType.NONE : event;
      rows.append(RecordType.COLLECTIVE, row);
    }
    // Without the launch nothing says which op it is that accesses the memory.
    if (group.correlation >= 0) {
      for (long[] access : group.accesses) {
        access[Access.CORRELATION] = group.correlation & 0xFFFFFFFFL;
        rows.append(RecordType.ACCESS, access);
      }
    }
  }
}
