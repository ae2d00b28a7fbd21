package dev.eddyline.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSinkTest {
  @TempDir private Path folder;

  private static EddyWriter writer(Path file) throws IOException {
    return new EddyWriter(
        FileSink.create(file), TraceHeader.imported("test"), WriterOptions.defaults());
  }

  @Test
  void makesAFileThatOnlyItsOwnerReads() throws IOException {
    assumeTrue(folder.getFileSystem().supportedFileAttributeViews().contains("posix"));
    Path file = folder.resolve("run.eddy");
    writer(file).close();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void neverOverwrites() throws IOException {
    Path file = folder.resolve("run.eddy");
    Files.writeString(file, "mine");
    assertThatThrownBy(() -> FileSink.create(file)).isInstanceOf(FileAlreadyExistsException.class);

    Path link = folder.resolve("link.eddy");
    Files.createSymbolicLink(link, folder.resolve("not-there"));
    assertThatThrownBy(() -> FileSink.create(link)).isInstanceOf(FileAlreadyExistsException.class);
    assertThat(file).hasContent("mine");
  }

  @Test
  void survivesAnInterruptOfTheThreadThatAppends() throws IOException {
    Path file = folder.resolve("run.eddy");
    EddyWriter writer = writer(file);
    Thread.currentThread().interrupt();
    writer.append(RecordType.LOSS, new long[] {1, 0, 0, 1});
    writer.flush();
    assertThat(Thread.interrupted()).isTrue();
    writer.append(RecordType.LOSS, new long[] {2, 0, 0, 1});
    writer.close();
    assertThat(writer.failures()).isZero();
    assertThat(writer.recordsWritten()).isEqualTo(2);
    assertThat(Files.size(file)).isEqualTo(writer.bytesWritten());
  }

  @Test
  void theZstdCommandExpandsTheWholeFile() throws Exception {
    assumeTrue(RawBlocksTest.hasZstd(), "needs the zstd command");
    Path file = folder.resolve("run.eddy");
    EddyWriter writer = writer(file);
    writer.string("a string that can be found");
    writer.append(RecordType.LOSS, new long[] {1, 0, 0, 1});
    writer.close();

    Path expanded = folder.resolve("run.cbor");
    Process zstd =
        new ProcessBuilder("zstd", "-q", "-d", "-c", file.toString())
            .redirectOutput(expanded.toFile())
            .start();

    assertThat(zstd.waitFor()).isZero();
    assertThat(new String(Files.readAllBytes(expanded), java.nio.charset.StandardCharsets.UTF_8))
        .contains("eddyline-trace")
        .contains("a string that can be found");
  }
}
