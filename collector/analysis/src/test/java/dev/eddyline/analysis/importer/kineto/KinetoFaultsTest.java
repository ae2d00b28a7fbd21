package dev.eddyline.analysis.importer.kineto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.TraceReadException;
import dev.eddyline.analysis.importer.TraceReadLimits;
import dev.eddyline.analysis.timeline.SkippedRange;
import dev.eddyline.analysis.timeline.Timeline;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Malformed files: where and what, and how reading goes on. */
class KinetoFaultsTest {
  private static final String GOOD =
      "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"ts\":%d,\"args\":{\"stream\":7}}";

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void nameFile() {
    file = folder.resolve("t.json");
  }

  private static String good(int ts) {
    return GOOD.formatted(ts);
  }

  static Stream<Arguments> faults() {
    return Stream.of(
        Arguments.of("[\n{\"ph\" \"X\"}]", "2:7: expected ':' after the field name"),
        Arguments.of("[\n{\"ph\": }]", "2:8: expected a value"),
        Arguments.of("[\n{\"ph\": X}]", "2:8: expected a value"),
        Arguments.of("[\n{\"ph\": 1.}]", "2:8: expected a value"),
        Arguments.of("[\n{\"ph\": \"X\" \"ts\"}]", "2:12: expected ',' or '}'"),
        Arguments.of("[\n{\"ph\": \"X\",, }]", "2:12: expected a field name in quotes"),
        Arguments.of("[\n{ph: \"X\"}]", "2:2: expected a field name in quotes"),
        Arguments.of("[\n{\"a\": [1 2]}]", "2:10: expected ',' or ']'"),
        Arguments.of("[\n{\"é\": [1 2]}]", "2:10: expected ',' or ']'"),
        Arguments.of("[\n{} {}]", "2:4: expected ',' or ']'"),
        Arguments.of("[\n1]", "2:1: expected an event, that is an object"),
        Arguments.of("[\n{}] x", "2:5: expected the end of the file"),
        Arguments.of("[\n{}", "2:3: expected more: the file ends inside the trace"),
        Arguments.of("{\"traceEvents\": [\n", "2:1: expected more: the file ends inside the trace"),
        Arguments.of("{\n\"traceEvents\": [}", "2:17: expected an event, that is an object"),
        Arguments.of("nonsense", "1:1: expected '{' or '['"),
        Arguments.of(
            "[\n{\"ph\":\"X\",\"cat\":\"kernel\",\"ts\":\"x\"}]",
            "2:32: expected a time in microseconds as the value of \"ts\""),
        Arguments.of(
            "[\n{\"ph\":\"X\",\"cat\":\"kernel\"}]", "2:1: expected a field \"ts\" in the event"),
        Arguments.of(
            "[\n{\"ph\":\"X\",\"cat\":\"kernel\",\"ts\":9e15}]",
            "2:1: expected times that 64-bit nanoseconds can hold"),
        Arguments.of(
            "{\"distributedInfo\": " + "[".repeat(70) + "]".repeat(70) + "}",
            "1:85: expected at most 64 levels of nesting"));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void faultIsLocatedInOurWords(String text, String message) {
    assertThatThrownBy(() -> KinetoTraces.read(file, text))
        .isInstanceOf(TraceReadException.class)
        .hasMessage(file + ":" + message);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void placeIsTheSameInGzip(String text, String message) {
    byte[] bytes = KinetoTraces.gzip(text.getBytes(StandardCharsets.UTF_8));

    assertThatThrownBy(() -> KinetoTraces.read(file, bytes, KinetoTraces.STRICT))
        .isInstanceOf(TraceReadException.class)
        .hasMessage(file + ":" + message);
  }

  @Test
  void recoveryGoesOnAtTheNextEvent() throws IOException {
    String broken = "{\"ph\":\"X\",\"cat\":\"kernel\",\"ts\" 2,\"args\":{\"name\":\"x\"}}";
    String text =
        "{\"traceEvents\":["
            + String.join(",", good(1), broken, good(3))
            + "],\"baseTimeNanoseconds\":5000}";
    Timeline timeline = KinetoTraces.read(file, text, KinetoTraces.RECOVER);

    assertThat(starts(timeline)).containsExactly(6000L, 8000L);
    assertThat(timeline.skipped())
        .containsExactly(
            new SkippedRange(
                0,
                text.indexOf(broken),
                text.indexOf(good(3)),
                "expected ':' after the field name"));
  }

  private static long[] starts(Timeline timeline) {
    return IntStream.range(0, timeline.ops().size())
        .mapToLong(i -> timeline.ops().at(i).start())
        .toArray();
  }

  @Test
  void missingCommaLosesNothing() throws IOException {
    String text = "[" + good(1) + good(2) + "\n" + good(3) + "]";
    Timeline timeline = KinetoTraces.read(file, text, KinetoTraces.RECOVER);

    assertThat(starts(timeline)).containsExactly(1000L, 2000L, 3000L);
    assertThat(timeline.skipped()).hasSize(2);
  }

  @Test
  void unusableEventIsLeftOutWithItsRange() throws IOException {
    String unusable = "{\"ph\":\"X\",\"cat\":\"kernel\",\"ts\":null}";
    String text = "[" + String.join(",", good(1), unusable, good(3)) + "]";
    Timeline timeline = KinetoTraces.read(file, text, KinetoTraces.RECOVER);

    assertThat(starts(timeline)).containsExactly(1000L, 3000L);
    SkippedRange skipped = timeline.skipped().get(0);
    assertThat(text.substring((int) skipped.fromByte(), (int) skipped.toByte()))
        .isEqualTo(unusable);
  }

  @Test
  void baseAmongWhatIsSkippedCounts() throws IOException {
    String text =
        "{\"deviceProperties\": [{x}], \"baseTimeNanoseconds\" : 7000, \"traceEvents\": ["
            + good(1)
            + "]}";
    Timeline timeline = KinetoTraces.read(file, text, KinetoTraces.RECOVER);

    assertThat(starts(timeline)).containsExactly(8000L);
  }

  @Test
  void fileThatEndsEarlyKeepsWhatWasThere() throws IOException {
    String text = "{\"traceEvents\":[" + good(1) + "," + good(2).substring(0, 30);
    Timeline timeline = KinetoTraces.read(file, text, KinetoTraces.RECOVER);

    assertThat(starts(timeline)).containsExactly(1000L);
    assertThat(timeline.skipped())
        .containsExactly(
            new SkippedRange(
                0, text.lastIndexOf('{'), -1, "expected more: the file ends inside the trace"));
  }

  @Test
  void gzipThatEndsEarlyKeepsWhatWasThere() throws IOException {
    String events =
        IntStream.range(0, 5000)
            .mapToObj(KinetoFaultsTest::good)
            .collect(Collectors.joining(",\n"));
    byte[] bytes = KinetoTraces.gzip(("[" + events + "]").getBytes(StandardCharsets.UTF_8));
    byte[] half = Arrays.copyOf(bytes, bytes.length / 2);

    assertThatThrownBy(() -> KinetoTraces.read(file, half, KinetoTraces.STRICT))
        .isInstanceOf(TraceReadException.class)
        .hasMessageMatching(".*t\\.json:\\d{4}:\\d+: expected more: the gzip data are cut off.*");
    Timeline timeline = KinetoTraces.read(file, half, KinetoTraces.RECOVER);
    assertThat(timeline.ops().size()).isBetween(1000, 4000);
    assertThat(timeline.skipped()).hasSize(1);
  }

  @Test
  void wrongChecksumIsNoticed() {
    byte[] bytes = KinetoTraces.gzip(("[" + good(1) + "]").getBytes(StandardCharsets.UTF_8));
    bytes[bytes.length - 6] ^= 1;

    assertThatThrownBy(() -> KinetoTraces.read(file, bytes, KinetoTraces.STRICT))
        .isInstanceOf(TraceReadException.class)
        .hasMessageContaining("the gzip data are cut off or damaged");
  }

  @Test
  void recoveriesAreBounded() {
    String text = "[" + (good(1) + ",{x},").repeat(200) + good(2) + "]";

    assertThatThrownBy(() -> KinetoTraces.read(file, text, KinetoTraces.RECOVER))
        .isInstanceOf(TraceReadException.class)
        .hasMessageEndingWith("gave up after 100 such places");
  }

  @Test
  void jsonThatIsNoTraceIsRefused() {
    assertThatThrownBy(() -> KinetoTraces.read(file, "{\"a\": 1}"))
        .isInstanceOf(TraceReadException.class)
        .hasMessageContaining("no \"traceEvents\"");
  }

  private static ReadOptions limited(int strings, int streams, int threads) {
    return new ReadOptions(
        false,
        new TraceReadLimits(10_000, 100, 64, 16, strings, streams, threads, 1 << 20, 3),
        bytes -> {});
  }

  private static String events(String pattern) {
    return "["
        + IntStream.range(0, 200).mapToObj(pattern::formatted).collect(Collectors.joining(","))
        + "]";
  }

  @Test
  void limitsHold() {
    String names = "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k%d\",\"ts\":1}";
    String streams = "{\"ph\":\"X\",\"cat\":\"kernel\",\"ts\":1,\"args\":{\"stream\":%d}}";
    String threads = "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"o\",\"ts\":1,\"tid\":%d}";

    assertThatThrownBy(() -> KinetoTraces.read(file, events(names), limited(99, 99, 99)))
        .isInstanceOf(TraceReadException.class)
        .hasMessageContaining("too many different names");
    assertThatThrownBy(() -> KinetoTraces.read(file, events(streams), limited(999, 99, 99)))
        .isInstanceOf(TraceReadException.class)
        .hasMessageContaining("more than 99 streams");
    assertThatThrownBy(() -> KinetoTraces.read(file, events(threads), limited(999, 99, 99)))
        .isInstanceOf(TraceReadException.class)
        .hasMessageContaining("more than 99 threads");
  }

  @Test
  void longTextsAndEventsAreRefused() {
    String name = "[{\"ph\":\"X\",\"cat\":\"kernel\",\"ts\":1,\"name\":\"%s\"}]";

    assertThatThrownBy(
            () -> KinetoTraces.read(file, name.formatted("k".repeat(15_000)), limited(9, 9, 9)))
        .isInstanceOf(TraceReadException.class)
        .hasMessageEndingWith("1:42: expected a text of at most 10000 characters");
    assertThatThrownBy(
            () -> KinetoTraces.read(file, name.formatted("k".repeat(50_000)), limited(9, 9, 9)))
        .isInstanceOf(TraceReadException.class)
        .hasMessageEndingWith("1:1: expected a value of at most 20000 bytes");
  }

  @Test
  void longEventsWithinTheLimitAreRead() throws IOException {
    String shapes = "[" + "[1, 2], ".repeat(300_000) + "[]]";
    String text =
        "[{\"ph\":\"X\",\"cat\":\"cpu_op\",\"ts\":1,\"args\":{\"Input Dims\":" + shapes + "}}]";
    Timeline timeline = KinetoTraces.read(file, text);

    assertThat(timeline.ranges().at(0).shape()).isEqualTo(shapes);
  }
}
