package dev.eddyline.recorder.rows;

import dev.eddyline.trace.Definition.ThreadEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Host threads by the operating system's id. A thread is named when it is first seen, by the name
 * that the kernel knows (15 bytes of Java's), and again when the shim tells its Java name. For the
 * thread that drains.
 */
public final class ThreadTable {
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
    int id = rows.writer().define(new ThreadEntry(rows.process(), tid, name));
    ids.put(tid, id);
    names.put(id, name);
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

  private static String kernelName(int tid) {
    try {
      return Files.readString(Path.of("/proc/self/task/" + tid + "/comm")).strip();
    } catch (IOException gone) {
      return "";
    }
  }
}
