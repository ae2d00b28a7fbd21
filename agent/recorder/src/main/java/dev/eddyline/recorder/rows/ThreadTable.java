package dev.eddyline.recorder.rows;

import dev.eddyline.trace.Definition.ThreadEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Host threads by the operating system's id. A thread is named when it is first seen, by the name
 * that the kernel knows (15 bytes of Java's), and again when the shim tells its Java name. Threads
 * that have ended when they are first seen share a bounded number of definitions. For the thread
 * that drains.
 */
public final class ThreadTable {
  /** What the JVM calls the threads that carry virtual ones. */
  private static final String POOL = "ForkJoinPool-";

  private static final String CARRIER_CLASS = "jdk.internal.misc.CarrierThread";
  private static final String CARRIER = " (carries virtual threads)";

  /** NCCL makes a thread for every launch; a trace has room for a hundred thousand threads. */
  private static final int LANES = 4096;

  private static final int MOST = 50_000;
  private final int[] lanes = new int[LANES];
  private final int[] laneThreads = new int[LANES];
  private int nextLane;
  private int defined;
  private final TraceRows rows;
  private final LongIntMap ids = new LongIntMap();
  private final Map<Integer, String> names = new HashMap<>();
  private final Map<Integer, Integer> tids = new HashMap<>();

  public ThreadTable(TraceRows rows) {
    this.rows = rows;
  }

  /** Id of a thread. */
  public int id(int tid) {
    int id = ids.get(tid);
    return id == LongIntMap.ABSENT ? define(tid) : id;
  }

  private int define(int tid) {
    String name = kernelName(tid);
    if (name.isEmpty() || defined >= MOST) {
      return shortLived(tid);
    }
    defined++;
    if (name.startsWith(POOL) && carries(name)) {
      name += CARRIER;
    }
    int id = rows.writer().define(new ThreadEntry(rows.process(), tid, name));
    ids.put(tid, id);
    names.put(id, name);
    tids.put(id, tid);
    return id;
  }

  /** When all definitions of short-lived threads are taken, the one used longest ago is. */
  private int shortLived(int tid) {
    int lane = nextLane++ % LANES;
    int id = lanes[lane];
    if (nextLane <= LANES) {
      id = rows.writer().define(new ThreadEntry(rows.process(), tid, ""));
      lanes[lane] = id;
    } else if (ids.get(laneThreads[lane]) == id) {
      ids.remove(laneThreads[lane]);
    }
    laneThreads[lane] = tid;
    ids.put(tid, id);
    names.put(id, "");
    tids.put(id, tid);
    return id;
  }

  /** Tells a thread's name, as Java has it. */
  public void name(int tid, String name) {
    int id = id(tid);
    if (!name.isEmpty() && !name.equals(names.get(id))) {
      names.put(id, name);
      rows.writer().redefine(id, new ThreadEntry(rows.process(), tid, name));
    }
  }

  /** The name that is known of a thread. */
  String nameOf(int tid) {
    String name = names.getOrDefault(id(tid), "");
    return name.isEmpty() ? "thread " + tid : name;
  }

  /** The one thread of a name; 0 if there is none or more than one. */
  int tidOf(String name) {
    int found = 0;
    for (Map.Entry<Integer, String> entry : names.entrySet()) {
      if (entry.getValue().startsWith(name)) {
        if (found != 0) {
          return 0;
        }
        found = tids.getOrDefault(entry.getKey(), 0);
      }
    }
    return found;
  }

  /** A virtual thread made a call on this thread: its calls may belong to several. */
  public void carries(int tid) {
    String name = names.getOrDefault(id(tid), "");
    if (!name.endsWith(CARRIER)) {
      name(tid, name + CARRIER);
    }
  }

  /** Whether the threads whose names begin so carry virtual threads, all of them. */
  private static boolean carries(String beginning) {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group.getParent() != null) {
      group = group.getParent();
    }
    Thread[] live = new Thread[group.activeCount() + 16];
    int count = group.enumerate(live, true);
    boolean any = false;
    for (int i = 0; i < count; i++) {
      if (live[i].getName().startsWith(beginning)) {
        if (!live[i].getClass().getName().equals(CARRIER_CLASS)) {
          return false;
        }
        any = true;
      }
    }
    return any;
  }

  private static String kernelName(int tid) {
    try {
      return Files.readString(Path.of("/proc/self/task/" + tid + "/comm")).strip();
    } catch (IOException gone) {
      return "";
    }
  }
}
