package dev.eddyline.control;

import dev.eddyline.options.AgentOption;
import dev.eddyline.options.AgentOptions;
import dev.eddyline.recorder.shim.ShimLibrary;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarInputStream;

/** What the doctor looks at beside libraries. */
final class Checks {
  private static final String RECORDER = "eddyline/eddyline-recorder.jar";
  private static final List<String> INJECTIONS =
      List.of("CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH");
  private static final List<String> OTHER_CLIENTS =
      List.of("libToolsInjection64", "libcuinj64", "libnsys", "libkineto");

  private Checks() {}

  /** Whether the agent's jar has a shim for this platform. */
  static Check shim() {
    String platform = ShimLibrary.platform();
    try (JarFile agent = new JarFile(AgentJar.find().toFile())) {
      JarEntry recorder = agent.getJarEntry(RECORDER);
      try (InputStream bytes =
              recorder == null ? InputStream.nullInputStream() : agent.getInputStream(recorder);
          JarInputStream entries = new JarInputStream(bytes)) {
        for (JarEntry e = entries.getNextJarEntry(); e != null; e = entries.getNextJarEntry()) {
          if (e.getName().startsWith("native/" + platform + "/")) {
            return Check.ok("the agent has a shim for " + platform);
          }
        }
      }
      return Check.bad(
          "the agent has no shim for " + platform,
          "the released archive has it for Linux; a build needs a C compiler (gcc)");
    } catch (IOException e) {
      return Check.bad(
          "the agent's jar cannot be read: " + e.getMessage(), "install Eddyline again");
    } catch (Refusal e) {
      return Check.bad(String.valueOf(e.getMessage()), "install Eddyline again");
    }
  }

  /** Whether the shim can be loaded from the temporary folder. */
  static Check temporaryFolder(String mounts, Path folder) {
    String best = "";
    String options = "";
    for (String line : mounts.lines().toList()) {
      String[] fields = line.split(" ");
      if (fields.length > 3
          && folder.startsWith(fields[1])
          && fields[1].length() >= best.length()) {
        best = fields[1];
        options = fields[3];
      }
    }
    if (List.of(options.split(",")).contains("noexec")) {
      return Check.bad(
          folder + " is mounted noexec, so the shim cannot be loaded from it",
          "give the program another one: -Djava.io.tmpdir=…");
    }
    return Files.isWritable(folder)
        ? Check.ok("libraries can be loaded from " + folder)
        : Check.bad(
            folder + " cannot be written", "give the program another one: -Djava.io.tmpdir=…");
  }

  /** Whether another profiler sits where CUPTI lets in one only. */
  static Check otherClients(Map<String, String> environment, Optional<TargetProcess> process) {
    for (String variable : INJECTIONS) {
      String value = environment.getOrDefault(variable, "");
      if (!value.isEmpty()) {
        return Check.bad(
            variable + "=" + value + ": another profiler is loaded with CUDA",
            "CUPTI serves one at a time: unset " + variable);
      }
    }
    if (process.isPresent()) {
      for (String client : OTHER_CLIENTS) {
        try {
          List<String> mapped = process.get().mapped(client);
          if (!mapped.isEmpty()) {
            return Check.bad(
                "process " + process.get().pid() + " has another profiler loaded: " + mapped.get(0),
                "CUPTI serves one at a time: run the program without it");
          }
        } catch (IOException hidden) {
          return Check.note(
              "the libraries of process " + process.get().pid() + " cannot be seen",
              "run this as its user or as root");
        }
      }
    }
    return Check.ok("no other client of CUPTI");
  }

  /** Whether this Java, and the process, would let the agent in. */
  static List<Check> attach(Optional<TargetProcess> process) {
    List<Check> checks = new ArrayList<>();
    checks.add(
        ModuleLayer.boot().findModule("jdk.attach").isPresent()
            ? Check.ok("this Java (" + Runtime.version().feature() + ") can attach")
            : Check.bad(String.valueOf(Refusals.noAttachModule().getMessage()), ""));
    if (process.isPresent()) {
      TargetProcess target = process.get();
      checks.add(
          AgentClient.socketOf(target).isPresent()
              ? Check.ok("process " + target.pid() + " has the agent already")
              : Refusals.of(target)
                  .map(refusal -> Check.bad(String.valueOf(refusal.getMessage()), ""))
                  .orElse(Check.ok("process " + target.pid() + " can be attached to")));
    }
    return checks;
  }

  /** What a recording may take. */
  static Check bounds() {
    AgentOptions defaults = AgentOptions.defaults();
    long host = defaults.bytes(AgentOption.BUFFERS) >> 20;
    long device = defaults.bytes(AgentOption.DEVICE_BUFFERS) >> 20;
    long limit = containerLimit() >> 20;
    String what =
        "a recording takes at most "
            + host
            + " MiB for buffers and about 64 MiB more of the host, and "
            + device
            + " MiB of the GPU in each context";
    return limit > 0 && limit < 16 * host
        ? Check.note(
            what + "; this container may have " + limit + " MiB", "less with --buffers 16m")
        : Check.ok(what);
  }

  private static long containerLimit() {
    try {
      String text = Files.readString(Path.of("/sys/fs/cgroup/memory.max")).strip();
      return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
    } catch (IOException none) {
      return 0;
    }
  }

  /** Whether the two clocks that a file is mapped by go at the same pace. */
  static Check clocks() {
    long monotonic = System.nanoTime();
    java.time.Instant real = java.time.Instant.now();
    try {
      Thread.sleep(200);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    long passed = System.nanoTime() - monotonic;
    long passedReal = java.time.Duration.between(real, java.time.Instant.now()).toNanos();
    String source = clockSource();
    String apart = String.format(Locale.ROOT, "%.3f", Math.abs(passed - passedReal) / 1e6);
    if (Math.abs(passed - passedReal) > 1_000_000) {
      return Check.bad(
          "the clocks go apart: " + apart + " ms in 0.2 s",
          "something sets the clock in steps; let chrony or ntpd slew it");
    }
    return source.isEmpty() || source.equals("tsc") || source.equals("kvm-clock")
        ? Check.ok("clocks agree to " + apart + " ms in 0.2 s")
        : Check.note(
            "the kernel's clock is " + source + ", slow to read",
            "each recorded call gets slower; the clock tsc does not");
  }

  private static String clockSource() {
    try {
      return Files.readString(
              Path.of("/sys/devices/system/clocksource/clocksource0/current_clocksource"))
          .strip();
    } catch (IOException unknown) {
      return "";
    }
  }
}
