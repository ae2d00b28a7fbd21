package dev.eddyline.trace;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * One entry of a dictionary of the trace file: what an id stands for. A later definition of the
 * same id replaces the one before. The order of the fields is part of the file format: a release
 * may append fields, never reorder them.
 */
public sealed interface Definition {
  /** The dictionaries; the codes are part of the file format. */
  enum Kind {
    STRING(1),
    SOURCE(2),
    PROCESS(3),
    THREAD(4),
    DEVICE(5),
    STREAM(6),
    SKIPPED(7);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    /** The number that stands for this dictionary in a file. */
    public int code() {
      return code;
    }
  }

  /** The dictionary that it belongs to. */
  Kind kind();

  /** Writes the fields as one CBOR array. */
  void encode(Fields out);

  /** Takes the fields of a definition, in order. */
  interface Fields {
    /** Begins the definition. */
    void begin(int fields);

    void number(long value);

    void text(String value);

    void texts(Map<String, String> values);
  }

  /**
   * A file that an exported trace was read from. A recorded trace defines none.
   *
   * @param file its name
   * @param format what it was
   * @param properties what it said of itself, in the order to show it
   */
  record SourceEntry(String file, String format, Map<String, String> properties)
      implements Definition {
    public SourceEntry {
      Objects.requireNonNull(file);
      Objects.requireNonNull(format);
      properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
    }

    @Override
    public Kind kind() {
      return Kind.SOURCE;
    }

    @Override
    public void encode(Fields out) {
      out.begin(3);
      out.text(file);
      out.text(format);
      out.texts(properties);
    }
  }

  /**
   * A process.
   *
   * @param source id of the source that it stood in, 0 in a recorded trace
   * @param pid process id of the operating system, -1 if not known
   * @param rank its rank in the job, -1 if not known
   * @param worldSize how many ranks the job has, -1 if not known
   * @param host name of its machine, "" if not known
   */
  record ProcessEntry(int source, long pid, int rank, int worldSize, String host)
      implements Definition {
    public ProcessEntry {
      Objects.requireNonNull(host);
    }

    @Override
    public Kind kind() {
      return Kind.PROCESS;
    }

    @Override
    public void encode(Fields out) {
      out.begin(5);
      out.number(source);
      out.number(pid);
      out.number(rank);
      out.number(worldSize);
      out.text(host);
    }
  }

  /**
   * A host thread.
   *
   * @param process id of its process
   * @param tid thread id of the operating system
   * @param name its name, "" if not known
   */
  record ThreadEntry(int process, long tid, String name) implements Definition {
    public ThreadEntry {
      Objects.requireNonNull(name);
    }

    @Override
    public Kind kind() {
      return Kind.THREAD;
    }

    @Override
    public void encode(Fields out) {
      out.begin(3);
      out.number(process);
      out.number(tid);
      out.text(name);
    }
  }

  /**
   * A GPU as a process sees it.
   *
   * @param process id of the process
   * @param ordinal device number in that process
   * @param name product name, "" if not known
   * @param multiprocessors number of SMs, 0 if not known
   */
  record DeviceEntry(int process, int ordinal, String name, int multiprocessors)
      implements Definition {
    public DeviceEntry {
      Objects.requireNonNull(name);
    }

    @Override
    public Kind kind() {
      return Kind.DEVICE;
    }

    @Override
    public void encode(Fields out) {
      out.begin(4);
      out.number(process);
      out.number(ordinal);
      out.text(name);
      out.number(multiprocessors);
    }
  }

  /**
   * A stream: one handle of one context from its creation to its destruction.
   *
   * @param process id of its process
   * @param device device number in that process, -1 if not known
   * @param context context id, 0 if there is none
   * @param id stream id as CUPTI or the source gives it
   * @param generation counts up where the id was reused
   * @param flags one of the {@code FLAGS_} constants
   * @param name a name that someone gave it, "" if none
   */
  record StreamEntry(
      int process, int device, long context, long id, int generation, int flags, String name)
      implements Definition {
    public static final int FLAGS_UNKNOWN = 0;
    public static final int FLAGS_BLOCKING = 1;
    public static final int FLAGS_NON_BLOCKING = 2;
    public static final int FLAGS_LEGACY_DEFAULT = 3;
    public static final int FLAGS_PER_THREAD_DEFAULT = 4;

    public StreamEntry {
      Objects.requireNonNull(name);
    }

    @Override
    public Kind kind() {
      return Kind.STREAM;
    }

    @Override
    public void encode(Fields out) {
      out.begin(7);
      out.number(process);
      out.number(device);
      out.number(context);
      out.number(id);
      out.number(generation);
      out.number(flags);
      out.text(name);
    }
  }

  /**
   * A part of a source that an exported trace could not read.
   *
   * @param source id of the source
   * @param fromByte offset of the first byte left out
   * @param toByte offset after the last byte left out, -1 for the end of the source
   * @param what what was expected there, in words
   */
  record SkippedEntry(int source, long fromByte, long toByte, String what) implements Definition {
    public SkippedEntry {
      Objects.requireNonNull(what);
    }

    @Override
    public Kind kind() {
      return Kind.SKIPPED;
    }

    @Override
    public void encode(Fields out) {
      out.begin(4);
      out.number(source);
      out.number(fromByte);
      out.number(toByte);
      out.text(what);
    }
  }
}
