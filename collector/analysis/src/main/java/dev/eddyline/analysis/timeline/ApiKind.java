package dev.eddyline.analysis.timeline;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * What a CUDA or HIP call does to the order of things, found by its name: runtime and driver API,
 * with version and per-thread suffixes ({@code _v3020}, {@code _ptsz}).
 */
public enum ApiKind {
  KERNEL_LAUNCH,
  GRAPH_LAUNCH,
  /** A copy whose name says Async. */
  COPY_ASYNC,
  /** A copy that returns when it is done; HIP's hipMemcpyWithStream too. */
  COPY,
  FILL,
  HOST_FUNCTION,
  EVENT_RECORD,
  STREAM_WAIT_EVENT,
  STREAM_WAIT_VALUE,
  STREAM_SYNC,
  EVENT_SYNC,
  DEVICE_SYNC,
  EVENT_QUERY,
  STREAM_QUERY,
  ALLOC,
  FREE,
  /** Stream-ordered allocation and free: they do not hold the host. */
  POOL_ALLOC,
  MODULE_LOAD,
  CAPTURE,
  OTHER;

  private static final Pattern SUFFIX = Pattern.compile("(_v\\d+|_ptsz|_ptds|_spt)+$");

  /** The kind of a call by its API name. */
  public static ApiKind of(String apiName) {
    if (!apiName.startsWith("cu") && !apiName.startsWith("hip")) {
      return OTHER;
    }
    String name = SUFFIX.matcher(apiName).replaceFirst("");
    String word = name.replaceFirst("^(cuda|hip|cu)(Ext)?", "").toLowerCase(Locale.ROOT);
    return named(word);
  }

  private static ApiKind named(String word) {
    return switch (word) {
      case "streamwaitevent" -> STREAM_WAIT_EVENT;
      case "streamsynchronize" -> STREAM_SYNC;
      case "eventsynchronize" -> EVENT_SYNC;
      case "devicesynchronize", "ctxsynchronize", "threadsynchronize" -> DEVICE_SYNC;
      case "eventquery" -> EVENT_QUERY;
      case "streamquery" -> STREAM_QUERY;
      case "graphlaunch" -> GRAPH_LAUNCH;
      case "launchhostfunc", "streamaddcallback" -> HOST_FUNCTION;
      case "mallocasync",
          "memallocasync",
          "mallocfrompoolasync",
          "memallocfrompoolasync",
          "freeasync",
          "memfreeasync" ->
          POOL_ALLOC;
      default -> prefixed(word);
    };
  }

  private static ApiKind prefixed(String word) {
    if (word.startsWith("eventrecord")) {
      return EVENT_RECORD;
    }
    if (word.startsWith("streamwaitvalue") || word.startsWith("streambatchmemop")) {
      return STREAM_WAIT_VALUE;
    }
    if (word.startsWith("launch") || word.startsWith("modulelaunch")) {
      return KERNEL_LAUNCH;
    }
    if (word.startsWith("memcpy")) {
      return word.contains("async") ? COPY_ASYNC : COPY;
    }
    if (word.startsWith("memset")) {
      return FILL;
    }
    if (word.startsWith("malloc") || word.startsWith("memalloc") || word.startsWith("hostalloc")) {
      return ALLOC;
    }
    if (word.startsWith("free") || word.startsWith("memfree") || word.startsWith("hostfree")) {
      return FREE;
    }
    if (word.startsWith("moduleload") || word.startsWith("libraryload")) {
      return MODULE_LOAD;
    }
    return word.contains("captur") ? CAPTURE : OTHER;
  }

  /** Whether the call exists to hold the host until GPU work is done. */
  public boolean isHostSync() {
    return this == STREAM_SYNC || this == EVENT_SYNC || this == DEVICE_SYNC;
  }

  /** Whether the call asks whether work is done and returns at once. */
  public boolean isPoll() {
    return this == EVENT_QUERY || this == STREAM_QUERY;
  }

  /** Whether the call enqueues work on a stream. */
  public boolean isLaunch() {
    return switch (this) {
      case KERNEL_LAUNCH, GRAPH_LAUNCH, COPY_ASYNC, COPY, FILL, HOST_FUNCTION -> true;
      default -> false;
    };
  }
}
