package dev.eddyline.control;

import static dev.eddyline.control.host.Training.EXIT_CODE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.control.Child.Result;
import dev.eddyline.control.host.Marked;
import dev.eddyline.control.host.Training;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The agent keeps to itself: its classes, its words, its faults. */
@Timeout(600)
class IsolationIT {
  private static final String ENTRY = "dev/eddyline/agent/EddylineAgent.class";

  @TempDir Path folder;

  static List<Path> jdks() {
    return Child.jdks();
  }

  private void isUnharmed(Result result) {
    assertThat(result.code()).as(result.err()).isEqualTo(EXIT_CODE);
    assertThat(result.out()).startsWith("done ");
  }

  @Test
  void one_class_is_at_the_top_of_the_jar() throws IOException {
    Set<String> files = new TreeSet<>();
    try (JarFile jar = new JarFile(Child.AGENT.toFile())) {
      jar.stream().filter(e -> !e.isDirectory()).forEach(e -> files.add(e.getName()));
    }

    assertThat(files).contains(ENTRY, "META-INF/MANIFEST.MF");
    files.removeAll(Set.of(ENTRY, "META-INF/MANIFEST.MF"));
    assertThat(files).allMatch(name -> name.matches("eddyline/[a-z-]+\\.jar")).hasSize(6);
  }

  @Test
  void the_entry_class_loads_in_old_jvms() throws IOException {
    try (JarFile jar = new JarFile(Child.AGENT.toFile());
        DataInputStream entry = new DataInputStream(jar.getInputStream(jar.getJarEntry(ENTRY)))) {
      assertThat(entry.readInt()).isEqualTo(0xCAFEBABE);
      assertThat(entry.readUnsignedShort()).isZero();
      assertThat(entry.readUnsignedShort()).as("class file version of Java 8").isEqualTo(52);
    }
  }

  @Test
  void an_old_jvm_gets_a_sentence() throws Exception {
    PrintStream err = System.err;
    String version = System.getProperty("java.specification.version");
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {Child.AGENT.toUri().toURL()})) {
      System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
      System.setProperty("java.specification.version", "1.8");
      Class<?> agent = loader.loadClass("dev.eddyline.agent.EddylineAgent");
      agent
          .getMethod("premain", String.class, java.lang.instrument.Instrumentation.class)
          .invoke(null, "out=run.eddy", null);

      assertThat(agent.getMethod("marks").invoke(null)).isNull();
    } finally {
      System.setErr(err);
      System.setProperty("java.specification.version", version);
    }
    assertThat(said.toString(StandardCharsets.UTF_8))
        .isEqualToIgnoringNewLines(
            "eddyline: needs Java 17, and this is Java 1.8: nothing is recorded");
  }

  @Test
  void a_wrong_option_is_a_line() {
    Result result =
        Child.in(folder).agent(Child.AGENT, "out=run.eddy,depp").run(Training.class, "50");

    isUnharmed(result);
    assertThat(result.err().lines()).hasSize(1);
    assertThat(result.err()).startsWith("eddyline: unknown option 'depp', did you mean deep?");
    assertThat(Child.traces(folder)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("damages")
  void a_damaged_jar_is_a_line(String entry) throws IOException {
    Path damaged = folder.resolve("damaged.jar");
    try (JarFile jar = new JarFile(Child.AGENT.toFile());
        JarOutputStream copy =
            new JarOutputStream(Files.newOutputStream(damaged), jar.getManifest())) {
      Enumeration<JarEntry> entries = jar.entries();
      while (entries.hasMoreElements()) {
        JarEntry e = entries.nextElement();
        if (!e.getName().startsWith("META-INF/") && !e.isDirectory()) {
          copy.putNextEntry(new JarEntry(e.getName()));
          byte[] bytes = jar.getInputStream(e).readAllBytes();
          copy.write(bytes, 0, e.getName().equals(entry) ? bytes.length / 3 : bytes.length);
        }
      }
    }
    Result result = Child.in(folder).agent(damaged, "out=run.eddy").run(Training.class, "50");

    isUnharmed(result);
    assertThat(result.err().lines()).hasSize(1);
    assertThat(result.err()).startsWith("eddyline: the agent cannot start, nothing is recorded: ");
  }

  static List<String> damages() {
    return List.of("eddyline/eddyline-agent-runtime.jar", "eddyline/eddyline-trace.jar");
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void a_program_keeps_its_own_libraries(Path jdk) throws IOException {
    Path sources = Files.createDirectory(folder.resolve("sources"));
    Path classes = Files.createDirectory(folder.resolve("classes"));
    for (String library :
        List.of(
            "com.github.luben.zstd.Zstd",
            "com.fasterxml.jackson.core.JsonFactory",
            "org.bytedeco.javacpp.Loader")) {
      int dot = library.lastIndexOf('.');
      write(
          sources,
          library,
          "package "
              + library.substring(0, dot)
              + "; public class "
              + library.substring(dot + 1)
              + " { public static String own() { return \"own \" + "
              + library.substring(dot + 1)
              + ".class.getName(); } }");
    }
    write(
        sources,
        "Program",
        "public class Program { public static void main(String[] a) throws Exception {"
            + " dev.eddyline.control.host.Training.main(new String[] {\"50\"}); } static {"
            + " System.out.println(\"done \" + com.github.luben.zstd.Zstd.own());"
            + " System.out.println(com.fasterxml.jackson.core.JsonFactory.own());"
            + " System.out.println(org.bytedeco.javacpp.Loader.own()); } }");
    Path hosts = Path.of("target/test-classes").toAbsolutePath();
    compile(sources, classes, hosts);

    Child child = Child.in(folder, jdk).classPath(classes, hosts).agent("out=run.eddy");
    Result result = child.run(child.command("Program"));

    isUnharmed(result);
    assertThat(result.out())
        .contains(
            "own com.github.luben.zstd.Zstd",
            "own com.fasterxml.jackson.core.JsonFactory",
            "own org.bytedeco.javacpp.Loader");
    assertThat(Trace.read(folder.resolve("run.eddy")).kernels()).isEqualTo(100);
    assertThat(Cli.run("info", folder.resolve("run.eddy").toString()).out())
        .doesNotContain("not compressed");
  }

  private static void write(Path sources, String name, String text) throws IOException {
    Path file = sources.resolve(name.replace('.', '/') + ".java");
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static void compile(Path sources, Path classes, Path classPath) throws IOException {
    List<String> arguments = new java.util.ArrayList<>();
    arguments.addAll(List.of("--release", "17", "-d", classes.toString()));
    arguments.addAll(List.of("-cp", classPath.toString()));
    try (var files = Files.walk(sources)) {
      files.filter(Files::isRegularFile).map(Path::toString).forEach(arguments::add);
    }
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(new String[0]));
    assertThat(code).isZero();
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void the_log_of_the_host_stays_clean(Path jdk) {
    Result result =
        Child.in(folder, jdk)
            .jvm(nativeAccess(jdk))
            .agent("out=run.eddy")
            .run(Training.class, "50");

    isUnharmed(result);
    assertThat(result.err().lines()).hasSize(2).allMatch(line -> line.startsWith("eddyline: "));
  }

  /** What the program itself needs, since it loads a library too. */
  private static String[] nativeAccess(Path jdk) {
    return jdk.equals(Child.ownJdk())
        ? new String[0]
        : new String[] {"--enable-native-access=ALL-UNNAMED"};
  }

  @Test
  void blocked_calls_are_events_of_flight_recorder() throws IOException {
    Path recording = folder.resolve("run.jfr");
    Result result =
        Child.in(folder)
            .jvm("-XX:StartFlightRecording=filename=" + recording, "-Xlog:disable")
            .agent("out=run.eddy,jfr-over=1ms")
            .run(Training.class, "10000");

    assertThat(result.code()).as(result.err()).isEqualTo(EXIT_CODE);
    assertThat(result.out()).contains("done ");
    List<RecordedEvent> events =
        RecordingFile.readAllEvents(recording).stream()
            .filter(event -> event.getEventType().getName().equals("dev.eddyline.HostBlocked"))
            .toList();
    assertThat(events).hasSizeBetween(20, 200);
    for (RecordedEvent event : events) {
      assertThat(event.getString("call")).contains("StreamSynchronize");
      assertThat(event.getString("caller")).isEqualTo("main");
      assertThat(event.getString("stack")).contains("Training");
      assertThat(event.getDuration("blocked").toMillis()).isGreaterThanOrEqualTo(2);
      assertThat(event.getInstant("start")).isBefore(java.time.Instant.now());
    }
  }

  @Test
  void without_flight_recorder_there_are_no_events_and_no_word() {
    Result result =
        Child.in(folder)
            .jvm("--limit-modules", "java.base,java.instrument")
            .agent("out=run.eddy")
            .run(Training.class, "500");

    isUnharmed(result);
    assertThat(result.err().lines()).hasSize(2);
    assertThat(Trace.read(folder.resolve("run.eddy")).kernels()).isEqualTo(1000);
  }

  @Test
  void marks_of_the_program_are_recorded() {
    Path marks = Path.of("../marks/target/classes").toAbsolutePath().normalize();
    Path hosts = Path.of("target/test-classes").toAbsolutePath();
    Result result =
        Child.in(folder).classPath(hosts, marks).agent("out=run.eddy").run(Marked.class);

    isUnharmed(result);
    assertThat(
            Cli.run(
                    "export",
                    folder.resolve("run.eddy").toString(),
                    "--to",
                    "csv",
                    "--table",
                    "ranges",
                    "-o",
                    folder.resolve("ranges.csv").toString())
                .code())
        .isZero();
    assertThat(folder.resolve("ranges.csv")).content().contains("step 0", "step 4");
  }
}
