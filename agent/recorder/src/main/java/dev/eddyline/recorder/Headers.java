package dev.eddyline.recorder;

import dev.eddyline.recorder.decode.Kind;
import dev.eddyline.recorder.shim.Shim;
import dev.eddyline.recorder.shim.ShimLibrary;
import dev.eddyline.trace.ClockTriple;
import dev.eddyline.trace.TraceHeader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the file says of the recording. */
final class Headers {
  private static final int VERSION_SCHEME = 100_000;

  /** Kinds that are always on; the others say with what they come. */
  static final int[] KINDS = {
    Kind.DEVICE,
    Kind.CONTEXT,
    Kind.STREAM,
    Kind.RUNTIME,
    Kind.DRIVER,
    Kind.CONCURRENT_KERNEL,
    Kind.MEMCPY,
    Kind.MEMCPY2,
    Kind.MEMSET,
    Kind.SYNCHRONIZATION,
    Kind.CUDA_EVENT,
    Kind.EXTERNAL_CORRELATION,
    Kind.OVERHEAD,
    Kind.MEMORY2
  };

  private Headers() {}

  static TraceHeader of(RecorderOptions options, ClockTriple clock) {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("CUDA", cuda(Shim.driverVersion()));
    properties.put("CUPTI", cupti(Shim.version()));
    properties.put("CUPTI library", new String(Shim.path(), ShimLibrary.encoding()));
    properties.put(
        "Java", System.getProperty("java.version") + " " + System.getProperty("java.vm.name"));
    properties.put("started", Shim.isLate() ? "after CUDA was initialised" : "with CUDA");
    properties.putAll(options.properties());
    return new TraceHeader(
        "eddyline " + version(),
        ProcessHandle.current().pid(),
        host(),
        clock,
        properties,
        enabled(options),
        List.of());
  }

  private static String version() {
    String version = Headers.class.getPackage().getImplementationVersion();
    return version == null ? "0.1.0" : version;
  }

  private static List<String> enabled(RecorderOptions options) {
    List<String> enabled =
        new ArrayList<>(
            List.of(
                "calls",
                "kernels",
                "copies",
                "fills",
                "streams",
                "events",
                "syncs",
                "memory",
                "overhead",
                "external ids"));
    if (options.blockNanos() != Long.MAX_VALUE) {
      enabled.add("stacks of calls that block");
    }
    if (options.deep()) {
      enabled.add("launch arguments");
    }
    return enabled;
  }

  /** "13.0" of 13000. */
  static String cuda(int version) {
    return version < 0 ? "unknown" : version / 1000 + "." + version % 1000 / 10;
  }

  /** "13.0.1" of 130001; CUPTI 12 only counts. */
  static String cupti(int version) {
    return version >= VERSION_SCHEME
        ? version / 10_000 + "." + version / 100 % 100 + "." + version % 100
        : "12 (" + version + ")";
  }

  /** Name of the machine. */
  static String host() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException unknown) {
      return "";
    }
  }
}
