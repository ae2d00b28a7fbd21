package dev.eddyline.analysis.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.eddyline.analysis.timeline.Timeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TracesTest {
  private static final String TRACE =
      "{\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"ts\":1}]}";

  @TempDir Path folder;

  private Path write(String name, String content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, content);
  }

  private List<String> resolve(String... arguments) throws IOException {
    List<String> absolute = new ArrayList<>();
    for (String argument : arguments) {
      absolute.add(folder + "/" + argument);
    }
    return Traces.resolve(absolute).stream()
        .map(path -> folder.relativize(path).toString().replace('\\', '/'))
        .toList();
  }

  @Test
  void folderStandsForItsTracesInTheOrderOfTheirNumbers() throws IOException {
    for (int rank : new int[] {10, 9, 1, 0, 2}) {
      write("run/rank" + rank + ".json", TRACE);
    }
    write("run/notes.txt", "no trace");
    write("run/settings.json", "{\"rank\": 3}");
    write("run/empty.json", "");

    assertThat(resolve("run"))
        .containsExactly(
            "run/rank0.json",
            "run/rank1.json",
            "run/rank2.json",
            "run/rank9.json",
            "run/rank10.json");
  }

  @Test
  void folderOfFoldersStandsForTheirTraces() throws IOException {
    write("run/b/t.json", TRACE);
    write("run/a/t.json", TRACE);

    assertThat(resolve("run")).containsExactly("run/a/t.json", "run/b/t.json");
  }

  @Test
  void patternStandsForTheFilesThatItMatches() throws IOException {
    write("run/rank2.json", TRACE);
    write("run/rank10.json", TRACE);
    write("run/other.txt", TRACE);
    write("run/deep/er/rank1.json", TRACE);

    assertThat(resolve("run/*.json")).containsExactly("run/rank2.json", "run/rank10.json");
    assertThat(resolve("run/rank[0-9].json")).containsExactly("run/rank2.json");
    assertThat(resolve("run/**.json"))
        .containsExactly("run/deep/er/rank1.json", "run/rank2.json", "run/rank10.json");
    assertThat(resolve("*/deep/*/rank1.json")).containsExactly("run/deep/er/rank1.json");
  }

  @Test
  void fileWhoseNameLooksLikeAPatternIsThatFile() throws IOException {
    write("a[1].json", TRACE);
    write("a1.json", TRACE);

    assertThat(resolve("a[1].json")).containsExactly("a[1].json");
  }

  @Test
  void noFileComesTwice() throws IOException {
    write("run/a.json", TRACE);

    assertThat(resolve("run/a.json", "run", "run/./a.json")).containsExactly("run/a.json");
  }

  private void assertRefused(String argument, String message) {
    assertThatThrownBy(
            () ->
                Traces.open(
                    Traces.resolve(List.of(folder + "/" + argument)), ReadOptions.defaults()))
        .isInstanceOf(TraceReadException.class)
        .hasMessage(folder + "/" + argument + ": " + message);
  }

  @Test
  void whatCannotBeOpenedIsSaidInOneLine() throws IOException {
    write("empty.json", "");
    write("text.txt", "hello");
    write("data.sqlite", "SQLite format 3\0...");
    write("run/notes.txt", "no trace");

    assertRefused("absent.json", "no such file or folder");
    assertRefused("*.nothing", "no file matches this pattern");
    assertRefused(
        "empty.json", "the file is empty; was its program stopped before it wrote the trace?");
    assertRefused("data.sqlite", "an SQLite file; exports of Nsight Systems cannot be read yet");
    assertRefused("run", "no trace in this folder or the folders in it; name the trace files");
    assertThatThrownBy(
            () -> Traces.open(List.of(folder.resolve("text.txt")), ReadOptions.defaults()))
        .isInstanceOf(TraceReadException.class)
        .hasMessageContaining("not a trace that can be read here; the formats are ")
        .hasMessageContaining("Kineto");
    assertThatThrownBy(() -> Traces.open(List.of(folder), ReadOptions.defaults()))
        .isInstanceOf(TraceReadException.class)
        .hasMessage(folder + ": a folder, not a trace file");
    assertThatThrownBy(
            () -> Traces.open(List.of(folder.resolve("gone.json")), ReadOptions.defaults()))
        .isInstanceOf(TraceReadException.class)
        .hasMessage(folder.resolve("gone.json") + ": no such file");
  }

  @Test
  void unreadableFileIsSaidInOneLine() throws IOException {
    Path file = write("secret.json", TRACE);
    assumeFalse(!file.toFile().setReadable(false) || Files.isReadable(file));

    assertRefused("secret.json", "no permission to read it");
  }

  @Test
  void progressCountsTheBytesOfAllFiles() throws IOException {
    Path a = write("a.json", TRACE);
    Path b = write("b.json", TRACE);
    List<Long> told = new ArrayList<>();
    Timeline timeline =
        Traces.open(List.of(a, b), new ReadOptions(false, TraceReadLimits.defaults(), told::add));

    assertThat(timeline.sources()).hasSize(2);
    assertThat(told).last().isEqualTo(2L * TRACE.length());
    assertThat(told).isSorted();
  }

  @Test
  void progressMayCancel() throws IOException {
    Path a = write("a.json", TRACE);
    ReadOptions cancelling =
        new ReadOptions(
            false,
            TraceReadLimits.defaults(),
            bytes -> {
              throw new CancellationException();
            });

    assertThatThrownBy(() -> Traces.open(List.of(a), cancelling))
        .isInstanceOf(CancellationException.class);
  }
}
