package dev.eddyline.analysis.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eddyline.analysis.importer.eddy.EddyFiles;
import dev.eddyline.analysis.importer.eddy.EddyReader;
import dev.eddyline.analysis.importer.eddy.SampleTimelines;
import dev.eddyline.analysis.importer.eddy.TimelineText;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.WriterOptions;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EddyExportTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 17, 3000})
  void readsBackWhatWasExported(int rows) throws IOException {
    Timeline timeline = SampleTimelines.random(rows, rows);
    Path file = folder.resolve("run.eddy");

    EddyExport.write(timeline, file, false, false);

    Timeline read = EddyFiles.read(file);
    assertThat(TimelineText.of(read)).isEqualTo(TimelineText.of(timeline));
    assertThat(read.sources().get(0).file()).isEqualTo(file.toString());
    assertThat(read.sources().get(0).properties())
        .containsEntry(EddyReader.EXPORTED_FROM, "rank0.json.gz");
  }

  @Test
  void readsBackManyFramesInOrder() throws IOException {
    Timeline timeline = SampleTimelines.random(5, 1000);
    EddyFiles.MemorySink sink = new EddyFiles.MemorySink();

    EddyExport.write(
        timeline, sink, false, WriterOptions.defaults().withBlockRows(7).withRepeatBytes(5000));

    Path file = folder.resolve("run.eddy");
    Files.write(file, sink.bytes());
    assertThat(TimelineText.of(EddyFiles.read(file, 4))).isEqualTo(TimelineText.of(timeline));
    assertThat(TimelineText.of(EddyFiles.read(file, 1))).isEqualTo(TimelineText.of(timeline));
  }

  @Test
  void exportsWhatItReadToTheSameBytes() throws IOException {
    Path first = folder.resolve("first.eddy");
    Path second = folder.resolve("second.eddy");
    EddyExport.write(SampleTimelines.random(6, 500), first, false, false);

    EddyExport.write(EddyFiles.read(first), second, false, false);

    assertThat(second).hasSameBinaryContentAs(first);
  }

  @Test
  void neverOverwritesUnasked() throws IOException {
    Path file = folder.resolve("run.eddy");
    Files.writeString(file, "mine");
    Timeline timeline = SampleTimelines.random(1, 1);

    assertThatThrownBy(() -> EddyExport.write(timeline, file, false, false))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(file).hasContent("mine");

    EddyExport.write(timeline, file, false, true);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }
}
