package dev.eddyline.control;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A JVM that a test starts, with the agent's jar as it is delivered and the stand-in for CUDA. Its
 * output goes to files in the folder of the test.
 */
final class Child {
  static final Path AGENT = Path.of(System.getProperty("eddyline.agent.jar")).toAbsolutePath();
  static final Path STANDIN = Path.of(System.getProperty("eddyline.standin")).toAbsolutePath();
  static final boolean LONG = Boolean.getBoolean("eddyline.long");
  private static final String CLASSES = Path.of("target/test-classes").toAbsolutePath().toString();
  private static int number;

  private final Path folder;
  private final String launcher;
  private final List<String> jvm = new ArrayList<>();
  private final Map<String, String> environment = new TreeMap<>();
  private String classPath = CLASSES;
  private Path standin = STANDIN;

  private Child(Path folder, Path jdk) {
    this.folder = folder;
    this.launcher = jdk.resolve("bin/java").toString();
    Assumptions.assumeTrue(
        Files.exists(STANDIN.resolve("libcupti.so.13")), "this build has no native parts");
  }

  /** A JVM of the JDK that runs the test. */
  static Child in(Path folder) {
    return new Child(folder, ownJdk());
  }

  static Child in(Path folder, Path jdk) {
    return new Child(folder, jdk);
  }

  static Path ownJdk() {
    return Path.of(System.getProperty("java.home"));
  }

  /** The JDK that runs the tests, and JDK 25 where it is installed. */
  static List<Path> jdks() {
    List<Path> jdks = new ArrayList<>(List.of(ownJdk()));
    String named = System.getProperty("eddyline.jdk25", "");
    if (Runtime.version().feature() < 25) {
      if (!named.isEmpty()) {
        jdks.add(Path.of(named));
      } else if (System.getenv("JAVA_HOME_25") != null) {
        jdks.add(Path.of(System.getenv("JAVA_HOME_25")));
      } else {
        installed().ifPresent(jdks::add);
      }
    }
    return jdks;
  }

  private static java.util.Optional<Path> installed() {
    try (Stream<Path> all = Files.list(Path.of("/usr/lib/jvm"))) {
      return all.filter(jdk -> jdk.getFileName().toString().contains("25"))
          .filter(jdk -> Files.isExecutable(jdk.resolve("bin/java")))
          .findFirst();
    } catch (IOException none) {
      return java.util.Optional.empty();
    }
  }

  Child jvm(String... options) {
    jvm.addAll(List.of(options));
    return this;
  }

  /** With the agent, its CUPTI the stand-in's. */
  Child agent(String options) {
    return agent(AGENT, options + ",cupti=" + standin);
  }

  Child agent(Path jar, String options) {
    return jvm("-javaagent:" + jar + "=" + options);
  }

  Child env(String name, String value) {
    environment.put(name, value);
    return this;
  }

  Child standin(Path libraries) {
    standin = libraries;
    return this;
  }

  Child classPath(Path... places) {
    classPath = String.join(File.pathSeparator, Stream.of(places).map(Path::toString).toList());
    return this;
  }

  /** The command line that starts a program in it. */
  List<String> command(Class<?> program, String... arguments) {
    return command(program.getName(), arguments);
  }

  List<String> command(String program, String... arguments) {
    List<String> command = new ArrayList<>(List.of(launcher));
    command.addAll(jvm);
    command.addAll(List.of("-Dstandin=" + standin, "-Xmx256m", "-cp", classPath, program));
    command.addAll(List.of(arguments));
    return command;
  }

  Running start(List<String> command) {
    try {
      Path out = folder.resolve("out-" + ++number);
      Path err = folder.resolve("err-" + number);
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().putAll(environment);
      return new Running(builder.start(), out, err);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  Running start(Class<?> program, String... arguments) {
    return start(command(program, arguments));
  }

  Result run(Class<?> program, String... arguments) {
    return start(program, arguments).end();
  }

  Result run(List<String> command) {
    return start(command).end();
  }

  /** A JVM that runs. */
  record Running(Process process, Path out, Path err) {
    private static final long PATIENCE_SECONDS = 180;

    String pid() {
      return Long.toString(process.pid());
    }

    /** Waits until it has written something. */
    Running awaits(String text) {
      return awaits(out, text);
    }

    Running awaits(Path file, String text) {
      long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      while (!read(file).contains(text)) {
        if (!process.isAlive() || System.nanoTime() > until) {
          throw new AssertionError("no '" + text + "' in\n" + read(out) + "\n" + read(err));
        }
        pause();
      }
      return this;
    }

    /** Tells it to end by itself. */
    Result finish() {
      try (var in = process.outputWriter()) {
        in.write("end\n");
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      return end();
    }

    Result end() {
      try {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
          throw new AssertionError("it hangs:\n" + read(out) + "\n" + read(err));
        }
        return new Result(process.exitValue(), read(out), read(err));
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    private static void pause() {
      try {
        Thread.sleep(10);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    private static String read(Path file) {
      try {
        return Files.readString(file);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** What came of it. */
  record Result(int code, String out, String err) {
    /** What the agent said. */
    List<String> said() {
      return err.lines().filter(line -> line.startsWith("eddyline: ")).toList();
    }
  }

  /** The traces in a folder. */
  static List<Path> traces(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".eddy")).sorted().toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
