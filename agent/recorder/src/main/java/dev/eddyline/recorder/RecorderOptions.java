package dev.eddyline.recorder;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What to record, and within which bounds. Durations are nanoseconds, sizes bytes.
 *
 * @param out names the file when the recording begins; where something is there already, "-2",
 *     "-3", … goes before the suffix
 * @param deep record pointers of launches, addresses of copies and fills
 * @param ringNanos keep the last so many nanoseconds in memory in place of a file; 0 = a file
 * @param ringBytes memory of the ring
 * @param ringBlockNanos write the ring when a call has blocked so long; 0 = never
 * @param hangNanos take it for a hang when a call is stuck and nothing completed so long; 0 = never
 * @param window the part of the run
 * @param stacks {@code Shim.STACKS_} bits: whose stacks to take however short the call
 * @param blockNanos from when on a call has blocked and its stack is taken; {@link Long#MAX_VALUE}
 *     = never
 * @param launchStacks take launches that block with their stack too; costs a tenth of a microsecond
 *     per launch
 * @param flushNanos how often finished records are fetched
 * @param bufferBytes size of one activity buffer
 * @param bufferCount how many there are at most
 * @param deviceBufferBytes GPU memory that CUPTI may take per context; 0 = its own bound
 * @param cupti files or folders to try first as CUPTI
 * @param rank of the process in its job, -1 if not known
 * @param worldSize ranks of the job, -1 if not known
 * @param properties goes into the file's header
 * @param onBlocked told of every call that blocked, on the thread that drains
 */
public record RecorderOptions(
    Supplier<Path> out,
    boolean deep,
    long ringNanos,
    long ringBytes,
    long ringBlockNanos,
    long hangNanos,
    RecordingWindow window,
    int stacks,
    long blockNanos,
    boolean launchStacks,
    long flushNanos,
    int bufferBytes,
    int bufferCount,
    long deviceBufferBytes,
    List<Path> cupti,
    int rank,
    int worldSize,
    Map<String, String> properties,
    Consumer<BlockedCall> onBlocked) {
  /** Most buffers. */
  public static final int MAX_BUFFERS = 65_535;

  public RecorderOptions {
    Objects.requireNonNull(out);
    Objects.requireNonNull(window);
    cupti = List.copyOf(cupti);
    properties = Map.copyOf(properties);
    if (bufferBytes < 4096 || bufferBytes % 8 != 0) {
      throw new IllegalArgumentException("bufferBytes " + bufferBytes);
    }
    if (bufferCount < 2
        || bufferCount > MAX_BUFFERS
        || (long) bufferCount * bufferBytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("bufferCount " + bufferCount);
    }
  }

  /** Into a file, all defaults: 512 buffers of 128 KiB, stacks from 0.5 ms on, flush at 200 ms. */
  public static RecorderOptions into(Path out) {
    return new Builder(() -> out).build();
  }

  /** Options to change, from these. */
  public Builder change() {
    return new Builder(this);
  }

  /** Collects options; for one thread. */
  public static final class Builder {
    private final Supplier<Path> out;
    private boolean deep;
    private long ringNanos;
    private long ringBytes = 256L << 20;
    private long ringBlockNanos;
    private long hangNanos;
    private RecordingWindow window = RecordingWindow.ALWAYS;
    private int stacks;
    private long blockNanos = 500_000;
    private boolean launchStacks = true;
    private long flushNanos = 200_000_000;
    private int bufferBytes = 128 << 10;
    private int bufferCount = 512;
    private long deviceBufferBytes = 32L << 20;
    private List<Path> cupti = List.of();
    private int rank = -1;
    private int worldSize = -1;
    private Map<String, String> properties = Map.of();
    private Consumer<BlockedCall> onBlocked = call -> {};

    /** Defaults. */
    public Builder(Supplier<Path> out) {
      this.out = out;
    }

    private Builder(RecorderOptions from) {
      out = from.out;
      deep = from.deep;
      ringNanos = from.ringNanos;
      ringBytes = from.ringBytes;
      ringBlockNanos = from.ringBlockNanos;
      hangNanos = from.hangNanos;
      window = from.window;
      stacks = from.stacks;
      blockNanos = from.blockNanos;
      launchStacks = from.launchStacks;
      flushNanos = from.flushNanos;
      bufferBytes = from.bufferBytes;
      bufferCount = from.bufferCount;
      deviceBufferBytes = from.deviceBufferBytes;
      cupti = from.cupti;
      rank = from.rank;
      worldSize = from.worldSize;
      properties = from.properties;
      onBlocked = from.onBlocked;
    }

    public Builder deep(boolean on) {
      deep = on;
      return this;
    }

    public Builder ring(long nanos, long bytes, long blockNanosThatWrites) {
      ringNanos = nanos;
      ringBytes = bytes;
      ringBlockNanos = blockNanosThatWrites;
      return this;
    }

    public Builder hang(long nanos) {
      hangNanos = nanos;
      return this;
    }

    public Builder window(RecordingWindow part) {
      window = part;
      return this;
    }

    public Builder stacks(int bits, long fromNanos, boolean ofLaunches) {
      stacks = bits;
      blockNanos = fromNanos;
      launchStacks = ofLaunches;
      return this;
    }

    public Builder flush(long nanos) {
      flushNanos = nanos;
      return this;
    }

    public Builder buffers(int bytes, int count) {
      bufferBytes = bytes;
      bufferCount = count;
      return this;
    }

    public Builder deviceBuffers(long bytes) {
      deviceBufferBytes = bytes;
      return this;
    }

    public Builder cupti(List<Path> places) {
      cupti = places;
      return this;
    }

    public Builder rank(int number, int of) {
      rank = number;
      worldSize = of;
      return this;
    }

    public Builder properties(Map<String, String> entries) {
      properties = entries;
      return this;
    }

    public Builder onBlocked(Consumer<BlockedCall> listener) {
      onBlocked = listener;
      return this;
    }

    /**
     * The options.
     *
     * @throws IllegalArgumentException if a bound makes no sense
     */
    public RecorderOptions build() {
      return new RecorderOptions(
          out,
          deep,
          ringNanos,
          ringBytes,
          ringBlockNanos,
          hangNanos,
          window,
          stacks,
          blockNanos,
          launchStacks,
          flushNanos,
          bufferBytes,
          bufferCount,
          deviceBufferBytes,
          cupti,
          rank,
          worldSize,
          properties,
          onBlocked);
    }
  }
}
