package dev.eddyline.recorder.rows;

import dev.eddyline.trace.Definition.DeviceEntry;
import dev.eddyline.trace.Definition.StreamEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Streams by context and CUPTI's stream id, a new one each time that an id is used again. What is
 * said of a stream later (flags, device, name) replaces its definition. For the thread that drains.
 */
public final class StreamTable {
  private static final int NO_STREAM = -1;
  private final TraceRows rows;
  private final LongIntMap ids = new LongIntMap();
  private final LongIntMap deviceOfContext = new LongIntMap();
  private final LongIntMap nullStreamOfContext = new LongIntMap();
  private final List<StreamEntry> entries = new ArrayList<>();
  private final LongIntMap createdBy = new LongIntMap();

  public StreamTable(TraceRows rows) {
    this.rows = rows;
  }

  private static long key(int context, int stream) {
    return (long) context << 32 | stream & 0xFFFFFFFFL;
  }

  /** Id of a stream, or -1 where CUPTI names none. */
  public int id(int context, int stream) {
    if (stream == NO_STREAM) {
      return NO_STREAM;
    }
    int id = ids.get(key(context, stream));
    return id == LongIntMap.ABSENT ? define(context, stream, 0) : id;
  }

  /** Id of a stream on a device. */
  public int id(int context, int stream, int device) {
    int id = id(context, stream);
    if (id >= 0 && entries.get(id).device() != device) {
      deviceOfContext.put(context, device);
      StreamEntry old = entries.get(id);
      redefine(id, with(old, device, old.flags(), old.name()));
    }
    return id;
  }

  private int define(int context, int stream, int generation) {
    boolean isNull = nullStreamOfContext.get(context) == stream;
    int flags = isNull ? StreamEntry.FLAGS_LEGACY_DEFAULT : StreamEntry.FLAGS_UNKNOWN;
    StreamEntry entry =
        new StreamEntry(
            rows.process(), deviceOfContext.get(context), context, stream, generation, flags, "");
    int id = rows.writer().define(entry);
    entries.add(entry);
    ids.put(key(context, stream), id);
    return id;
  }

  private void redefine(int id, StreamEntry entry) {
    entries.set(id, entry);
    rows.writer().redefine(id, entry);
  }

  private static StreamEntry with(StreamEntry old, int device, int flags, String name) {
    return new StreamEntry(
        old.process(), device, old.context(), old.id(), old.generation(), flags, name);
  }

  /** A context: its device, and the id of its legacy default stream. */
  public void context(int context, int device, int nullStream) {
    deviceOfContext.put(context, device);
    nullStreamOfContext.put(context, nullStream);
    int id = id(context, nullStream);
    StreamEntry old = entries.get(id);
    redefine(id, with(old, device, StreamEntry.FLAGS_LEGACY_DEFAULT, old.name()));
  }

  /**
   * A stream was made, or is told to be there.
   *
   * @param flag CUPTI's: 1 default, 2 non-blocking, 3 null stream
   * @param correlation of the call that made it; another one than before is another stream
   */
  public void created(int context, int stream, int flag, int correlation) {
    long key = key(context, stream);
    int id = ids.get(key);
    int before = createdBy.get(key);
    if (id == LongIntMap.ABSENT) {
      id = define(context, stream, 0);
    } else if (before != LongIntMap.ABSENT && before != correlation && correlation > 0) {
      id = define(context, stream, entries.get(id).generation() + 1);
    }
    createdBy.put(key, correlation & Integer.MAX_VALUE);
    StreamEntry old = entries.get(id);
    redefine(id, with(old, old.device(), flags(flag, old.flags()), old.name()));
  }

  private static int flags(int flag, int otherwise) {
    return switch (flag) {
      case 1 -> StreamEntry.FLAGS_BLOCKING;
      case 2 -> StreamEntry.FLAGS_NON_BLOCKING;
      case 3 -> StreamEntry.FLAGS_LEGACY_DEFAULT;
      default -> otherwise;
    };
  }

  /** Names a stream. */
  public void name(int id, String name) {
    StreamEntry old = entries.get(id);
    redefine(id, with(old, old.device(), old.flags(), name));
  }

  /** Tells of a device. */
  public void device(int ordinal, @Nullable String name, int multiprocessors) {
    rows.writer()
        .define(
            new DeviceEntry(rows.process(), ordinal, name == null ? "" : name, multiprocessors));
  }
}
