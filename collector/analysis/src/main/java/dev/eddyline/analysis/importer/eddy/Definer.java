package dev.eddyline.analysis.importer.eddy;

import dev.eddyline.analysis.timeline.DeviceInfo;
import dev.eddyline.analysis.timeline.ProcessInfo;
import dev.eddyline.analysis.timeline.SkippedRange;
import dev.eddyline.analysis.timeline.SourceInfo;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.TimelineBuilder;
import dev.eddyline.trace.Definition;
import dev.eddyline.trace.Definition.Kind;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts the definitions of a file into a timeline, in the order of their ids. */
final class Definer {
  private final FileDictionary dictionary;
  private final TimelineBuilder target;
  private final int[] sources;
  private final int[] processes;

  /**
   * Adds the sources and the processes.
   *
   * @param file the file's name as the user gave it
   * @param properties what the file's header says, for a file that defines no source
   */
  Definer(
      FileDictionary dictionary,
      TimelineBuilder target,
      String file,
      Map<String, String> properties) {
    this.dictionary = dictionary;
    this.target = target;
    this.sources = sources(file, properties);
    this.processes = processes();
  }

  /** Index of the source that stands for the file itself. */
  int mainSource() {
    return sources[0];
  }

  private int[] sources(String file, Map<String, String> properties) {
    List<@Nullable Definition> defined = dictionary.entries(Kind.SOURCE);
    if (defined.stream().allMatch(entry -> entry == null)) {
      return new int[] {target.addSource(new SourceInfo(file, EddyReader.FORMAT, properties))};
    }
    int[] ids = undefined(defined.size());
    for (int i = 0; i < ids.length; i++) {
      if (defined.get(i) instanceof Definition.SourceEntry source) {
        Map<String, String> shown = new LinkedHashMap<>(source.properties());
        if (!source.file().isEmpty()) {
          shown.putIfAbsent(EddyReader.EXPORTED_FROM, source.file());
        }
        ids[i] = target.addSource(new SourceInfo(file, source.format(), shown));
      }
    }
    if (ids[0] == RowMapper.UNDEFINED) {
      ids[0] = Arrays.stream(ids).filter(id -> id != RowMapper.UNDEFINED).findFirst().orElse(0);
    }
    return ids;
  }

  private int[] processes() {
    List<@Nullable Definition> defined = dictionary.entries(Kind.PROCESS);
    int[] ids = undefined(defined.size());
    for (int i = 0; i < ids.length; i++) {
      if (defined.get(i) instanceof Definition.ProcessEntry process
          && isDefined(sources, process.source())) {
        ids[i] =
            target.addProcess(
                new ProcessInfo(
                    sources[process.source()],
                    process.pid(),
                    process.rank(),
                    process.worldSize(),
                    process.host()));
      }
    }
    return ids;
  }

  /** Adds strings, threads, devices, streams and the parts that an export could not read. */
  RowMapper define(long epochOffset) {
    int[] strings = undefined(dictionary.strings().size());
    for (int i = 0; i < strings.length; i++) {
      String value = dictionary.strings().get(i);
      strings[i] = value == null ? RowMapper.UNDEFINED : target.strings().intern(value);
    }
    for (Definition entry : dictionary.entries(Kind.DEVICE)) {
      if (entry instanceof Definition.DeviceEntry device
          && isDefined(processes, device.process())) {
        target.addDevice(
            new DeviceInfo(
                processes[device.process()],
                device.ordinal(),
                device.name(),
                device.multiprocessors()));
      }
    }
    for (Definition entry : dictionary.entries(Kind.SKIPPED)) {
      if (entry instanceof Definition.SkippedEntry skipped
          && isDefined(sources, skipped.source())) {
        target.addSkipped(
            new SkippedRange(
                sources[skipped.source()], skipped.fromByte(), skipped.toByte(), skipped.what()));
      }
    }
    return new RowMapper(epochOffset, strings, processes, threads(), streams());
  }

  private int[] threads() {
    List<@Nullable Definition> defined = dictionary.entries(Kind.THREAD);
    int[] ids = undefined(defined.size());
    for (int i = 0; i < ids.length; i++) {
      if (defined.get(i) instanceof Definition.ThreadEntry thread
          && isDefined(processes, thread.process())) {
        ids[i] = target.thread(processes[thread.process()], thread.tid());
        if (!thread.name().isEmpty()) {
          target.nameThread(ids[i], thread.name());
        }
      }
    }
    return ids;
  }

  private int[] streams() {
    List<@Nullable Definition> defined = dictionary.entries(Kind.STREAM);
    int[] ids = undefined(defined.size());
    for (int i = 0; i < ids.length; i++) {
      if (defined.get(i) instanceof Definition.StreamEntry stream
          && isDefined(processes, stream.process())) {
        int process = processes[stream.process()];
        ids[i] =
            target.stream(
                process, stream.device(), stream.context(), stream.id(), stream.generation());
        target.setStream(
            ids[i],
            new StreamInfo(
                process,
                stream.device(),
                stream.context(),
                stream.id(),
                stream.generation(),
                kind(stream.flags()),
                stream.name()));
      }
    }
    return ids;
  }

  private static StreamInfo.Kind kind(int flags) {
    return switch (flags) {
      case Definition.StreamEntry.FLAGS_BLOCKING -> StreamInfo.Kind.BLOCKING;
      case Definition.StreamEntry.FLAGS_NON_BLOCKING -> StreamInfo.Kind.NON_BLOCKING;
      case Definition.StreamEntry.FLAGS_LEGACY_DEFAULT -> StreamInfo.Kind.LEGACY_DEFAULT;
      case Definition.StreamEntry.FLAGS_PER_THREAD_DEFAULT -> StreamInfo.Kind.PER_THREAD_DEFAULT;
      default -> StreamInfo.Kind.UNKNOWN;
    };
  }

  private static int[] undefined(int size) {
    int[] ids = new int[size];
    Arrays.fill(ids, RowMapper.UNDEFINED);
    return ids;
  }

  private static boolean isDefined(int[] ids, int id) {
    return id >= 0 && id < ids.length && ids[id] != RowMapper.UNDEFINED;
  }
}
