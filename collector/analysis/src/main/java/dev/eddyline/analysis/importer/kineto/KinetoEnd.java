package dev.eddyline.analysis.importer.kineto;

import dev.eddyline.analysis.importer.TraceReadException;
import dev.eddyline.analysis.timeline.DeviceInfo;
import dev.eddyline.analysis.timeline.ProcessInfo;
import dev.eddyline.analysis.timeline.SourceInfo;
import dev.eddyline.analysis.timeline.Strings;
import dev.eddyline.analysis.timeline.TimelineBuilder;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Loss;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/** What can be said only when all of a file was read: origin of times, ranks, names, losses. */
final class KinetoEnd {
  private final Path file;
  private final TimelineBuilder target;
  private final int source;
  private final KinetoHeader header;
  private final KinetoIds ids;
  private final Communicators communicators;

  KinetoEnd(
      Path file,
      TimelineBuilder target,
      int source,
      KinetoHeader header,
      KinetoIds ids,
      Communicators communicators) {
    this.file = file;
    this.target = target;
    this.source = source;
    this.header = header;
    this.ids = ids;
    this.communicators = communicators;
  }

  /** Ends a file whose rows have times that count from {@code base}. */
  void finish(KinetoRows rows, long base) throws TraceReadException {
    Strings strings = target.strings();
    header.completeFrom(String.valueOf(file.getFileName()));
    if (header.base() != base) {
      rows.shift(header.base() - base);
    }
    for (KinetoHeader.Group group : header.groups()) {
      communicators.number(
          strings.intern(group.description()), strings.intern(group.name()), group.size());
    }
    rows.finish(communicators.naming(strings, header.worldSize()));
    ids.applyThreadNames();
    for (int process : ids.allProcesses()) {
      ProcessInfo known = target.process(process);
      target.setProcess(
          process,
          new ProcessInfo(source, known.pid(), header.rank(), header.worldSize(), known.host()));
    }
    addDevices();
    target.setSource(
        source,
        new SourceInfo(
            file.toString(), "Kineto", header.properties(ids.devices(), rows.recordedNs())));
    for (KinetoHeader.Lost lost : header.losses()) {
      long[] row = new long[RecordType.LOSS.width()];
      Arrays.fill(row, RecordType.NONE);
      row[Loss.PROCESS] = ids.mainProcess();
      row[Loss.KIND] = strings.intern(lost.kind());
      row[Loss.COUNT] = lost.count();
      target.add(RecordType.LOSS, row);
    }
  }

  private void addDevices() {
    for (Map.Entry<Long, KinetoHeader.Device> each : header.devices().entrySet()) {
      if (ids.devices().contains(each.getKey())) {
        target.addDevice(
            new DeviceInfo(
                ids.mainProcess(),
                each.getKey().intValue(),
                each.getValue().name(),
                each.getValue().multiprocessors()));
      }
    }
  }
}
