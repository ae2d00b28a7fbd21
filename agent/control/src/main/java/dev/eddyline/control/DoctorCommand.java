package dev.eddyline.control;

import dev.eddyline.cli.Console;
import dev.eddyline.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says before a run what would go wrong in it. */
@picocli.CommandLine.Command(
    name = "doctor",
    description = "Say what would go wrong in a recording here, or of a process, and the remedy.",
    footer = {"", "Exit code 1 if something would."})
public final class DoctorCommand extends ProcessCommand {
  @Parameters(arity = "0..1", paramLabel = "PID", description = "A process to be attached to.")
  private @Nullable String pid;

  @Option(
      names = "--cupti",
      paramLabel = "FILE",
      description = "The libcupti to use, as for record and attach.")
  private @Nullable Path cupti;

  @Override
  int carryOut(Console console) throws IOException, Refusal {
    Optional<TargetProcess> process =
        pid == null ? Optional.empty() : Optional.of(TargetProcess.of(pid));
    Map<String, String> environment =
        process.isPresent() ? process.get().environment() : System.getenv();
    Libraries libraries =
        new Libraries(Path.of("/"), cupti == null ? List.of() : List.of(cupti), environment);
    List<Check> checks = new ArrayList<>();
    checks.add(Checks.shim());
    checks.add(
        Checks.temporaryFolder(
            Files.readString(Path.of("/proc/self/mounts")),
            Path.of(System.getProperty("java.io.tmpdir"))));
    checks.add(libraries.driver());
    checks.add(inUse(process).orElseGet(libraries::cupti));
    checks.add(libraries.nccl());
    checks.add(Checks.otherClients(environment, process));
    checks.addAll(Checks.attach(process));
    checks.add(Checks.bounds());
    checks.add(Checks.clocks());
    if (libraries.driverMajor() > 0) {
      checks.add(
          TrialRun.run(
              cupti == null
                  ? ""
                  : ",cupti=" + cupti.toAbsolutePath().toString().replace(",", "\\,")));
    }
    boolean sound = true;
    for (Check check : checks) {
      console.out().write(check.words());
      sound &= check.verdict() != Check.Verdict.BAD;
    }
    return sound ? ExitCode.OK : ExitCode.FAULT;
  }

  /** A CUPTI that the process has loaded already is the one that the agent takes. */
  private static Optional<Check> inUse(Optional<TargetProcess> process) throws IOException {
    if (process.isEmpty()) {
      return Optional.empty();
    }
    List<String> mapped = process.get().mapped("/libcupti.so");
    return mapped.isEmpty()
        ? Optional.empty()
        : Optional.of(Check.ok("CUPTI " + mapped.get(0) + ", which the process has loaded"));
  }
}
