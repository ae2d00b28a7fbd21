package dev.eddyline.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.control.Child.Result;
import dev.eddyline.control.host.Criticals;
import dev.eddyline.control.host.Training;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A program that copies Java arrays inside JNI critical regions while others allocate: a recorder
 * that ran Java there would hang it. Seconds for each collector and JDK, two minutes with
 * -Deddyline.long=true.
 */
@Timeout(1800)
class CriticalRegionIT {
  private static final Pattern COPIES = Pattern.compile("copies (\\d+) wrong 0");

  @TempDir Path folder;

  static List<Arguments> jvms() {
    List<Arguments> jvms = new ArrayList<>();
    for (Path jdk : Child.jdks()) {
      for (String collector : List.of("G1", "Serial", "Parallel", "Z")) {
        jvms.add(Arguments.of(jdk, collector));
      }
    }
    return jvms;
  }

  @ParameterizedTest
  @MethodSource("jvms")
  void every_copy_is_recorded_and_nothing_hangs(Path jdk, String collector) {
    Result result =
        Child.in(folder, jdk)
            .jvm("-XX:+Use" + collector + "GC", "-XX:-UsePerfData")
            .agent("out=run.eddy,buffers=256m")
            .run(Criticals.class, Child.LONG ? "120000" : "1500");

    assertThat(result.code()).as(result.err()).isEqualTo(Training.EXIT_CODE);
    assertThat(result.err()).doesNotContain("OutOfMemoryError");
    Matcher copies = COPIES.matcher(result.out());
    assertThat(copies.find()).as(result.out()).isTrue();
    assertThat(result.said().get(result.said().size() - 1)).contains("losses: none");
    assertThat(Trace.read(folder.resolve("run.eddy")).copies())
        .isEqualTo(Long.parseLong(copies.group(1)));
  }
}
