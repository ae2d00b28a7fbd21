package dev.eddyline.recorder.standin;

import dev.eddyline.recorder.shim.ShimLibrary;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The stand-in's libraries: libcuda.so.1, libcupti.so.13 and what {@link Play} calls. */
public final class Standin {
  private static final String CUPTI = "libcupti.so.13";
  private static final List<String> FILES = List.of("libcuda.so.1", CUPTI, "libstandin-play.so");

  private Standin() {}

  /** Whether this build has them, for this platform. */
  public static boolean isBuilt() {
    return Standin.class.getResource(resource(CUPTI)) != null;
  }

  private static String resource(String file) {
    return "/native-test/" + ShimLibrary.platform() + "/" + file;
  }

  /** Puts the libraries into a folder; returns the stand-in for CUPTI. */
  public static Path unpack(Path folder) {
    try {
      Files.createDirectories(folder);
      for (String file : FILES) {
        try (InputStream in = Standin.class.getResourceAsStream(resource(file))) {
          if (in == null) {
            throw new IOException("no " + resource(file));
          }
          Path target = folder.resolve(file);
          if (!Files.exists(target)) {
            Files.copy(in, target);
          }
        }
      }
      return folder.resolve(CUPTI);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Loads the program's side from a folder: then {@link Play} can be used. */
  public static void load(Path folder) {
    System.load(folder.resolve("libstandin-play.so").toAbsolutePath().toString());
  }
}
