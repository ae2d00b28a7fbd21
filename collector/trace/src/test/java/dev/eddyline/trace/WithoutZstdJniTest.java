package dev.eddyline.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WithoutZstdJniTest {
  @TempDir private Path folder;

  public static final class Program {
    private Program() {}

    public static boolean write(Path file) throws Exception {
      EddyWriter writer =
          new EddyWriter(
              FileSink.create(file), TraceHeader.imported("test"), WriterOptions.defaults());
      writer.append(RecordType.LOSS, new long[] {1, 0, 0, 1});
      writer.close();
      return writer.isRaw() && writer.failures() == 0;
    }
  }

  @Test
  void writesRawBlocksWhereTheLibraryIsNotThere() throws Exception {
    List<URL> modules = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (!entry.contains("zstd-jni")) {
        modules.add(Path.of(entry).toUri().toURL());
      }
    }
    Path file = folder.resolve("run.eddy");
    try (URLClassLoader loader =
        new URLClassLoader(modules.toArray(new URL[0]), ClassLoader.getPlatformClassLoader())) {
      Class<?> program = loader.loadClass(Program.class.getName());
      assertThat(program.getMethod("write", Path.class).invoke(null, file)).isEqualTo(true);
    }
    assertThat(Files.size(file)).isPositive();
  }

  @Test
  void writesRawBlocksWhereTheLibraryIsSwitchedOff() throws Exception {
    System.setProperty(Compressors.PROPERTY, "off");
    try {
      assertThat(Program.write(folder.resolve("run.eddy"))).isTrue();
    } finally {
      System.clearProperty(Compressors.PROPERTY);
    }
  }
}
