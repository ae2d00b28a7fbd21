package dev.eddyline.analysis.importer.kineto;

import dev.eddyline.analysis.importer.TraceReadException;
import dev.eddyline.analysis.importer.TraceReadLimits;
import dev.eddyline.analysis.timeline.ProcessInfo;
import dev.eddyline.analysis.timeline.TimelineBuilder;
import dev.eddyline.trace.RecordType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The processes, threads and streams of one file. GPU rows bear the number of their device as pid:
 * they belong to the file's main process, that is the first one that has host rows.
 */
final class KinetoIds {
  private record ThreadName(long pid, long tid, int name) {}

  private final String file;
  private final TimelineBuilder target;
  private final TraceReadLimits limits;
  private final int source;
  private final int mainProcess;
  private boolean mainPidKnown;
  private final IdTable processes = new IdTable();
  private final IdTable threads = new IdTable();
  private final IdTable streams = new IdTable();
  private final List<Integer> allProcesses = new ArrayList<>();
  private final List<ThreadName> threadNames = new ArrayList<>();
  private final Set<Long> devices = new TreeSet<>();

  KinetoIds(String file, TimelineBuilder target, int source, TraceReadLimits limits) {
    this.file = file;
    this.target = target;
    this.limits = limits;
    this.source = source;
    mainProcess = newProcess(RecordType.NONE);
  }

  private int newProcess(long pid) {
    int process = target.addProcess(new ProcessInfo(source, pid, -1, -1, ""));
    allProcesses.add(process);
    return process;
  }

  int mainProcess() {
    return mainProcess;
  }

  List<Integer> allProcesses() {
    return allProcesses;
  }

  /** Devices that streams of this file lie on. */
  Set<Long> devices() {
    return devices;
  }

  private int process(long pid) {
    int known = processes.get(pid, 0);
    if (known != IdTable.ABSENT) {
      return known;
    }
    int process = mainPidKnown ? newProcess(pid) : mainProcess;
    if (!mainPidKnown) {
      mainPidKnown = true;
      target.setProcess(process, new ProcessInfo(source, pid, -1, -1, ""));
    }
    processes.put(pid, 0, process);
    return process;
  }

  int thread(long pid, long tid) throws TraceReadException {
    int known = threads.get(pid, tid);
    if (known != IdTable.ABSENT) {
      return known;
    }
    int thread = target.thread(process(pid), tid);
    threads.put(pid, tid, thread);
    if (tid <= KinetoEvent.TEXT_IDS) {
      target.nameThread(thread, target.strings().get(KinetoEvent.TEXT_IDS - tid));
    }
    if (threads.size() > limits.maxThreads()) {
      throw new TraceReadException(
          file + ": more than " + limits.maxThreads() + " threads; this is no usable trace");
    }
    return thread;
  }

  /** The thread to name where a collective's own one cannot be found. */
  int someThread() throws TraceReadException {
    long pid = target.process(mainProcess).pid();
    return thread(pid, pid);
  }

  void nameThread(long pid, long tid, int name) {
    if (threadNames.size() < limits.maxThreads()) {
      threadNames.add(new ThreadName(pid, tid, name));
    }
  }

  int stream(long device, long context, long id) throws TraceReadException {
    long place = device << 32 ^ context;
    int known = streams.get(place, id);
    if (known != IdTable.ABSENT) {
      return known;
    }
    int stream = target.stream(mainProcess, (int) device, context, id, 0);
    streams.put(place, id, stream);
    devices.add(device);
    if (target.streamCount() > limits.maxStreams()) {
      throw new TraceReadException(
          file + ": more than " + limits.maxStreams() + " streams; this is no usable trace");
    }
    return stream;
  }

  /** Gives the threads that have rows the names that the file has for them. */
  void applyThreadNames() {
    for (ThreadName each : threadNames) {
      int thread = threads.get(each.pid, each.tid);
      if (thread != IdTable.ABSENT) {
        target.nameThread(thread, target.strings().get(each.name).strip());
      }
    }
  }
}
