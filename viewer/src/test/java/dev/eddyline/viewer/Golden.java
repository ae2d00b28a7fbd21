package dev.eddyline.viewer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.viewer.paint.PngWriter;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;

/** Drawings that are kept; {@code -Dgolden.update=true} writes them anew. */
public final class Golden {
  private static final Path FOLDER = Path.of("src/test/resources/golden");
  private static final int CHANNEL_TOLERANCE = 64;
  private static final double PIXEL_TOLERANCE = 0.01;

  private Golden() {}

  private static boolean updates() {
    return Boolean.getBoolean("golden.update");
  }

  public static void text(String name, List<String> actual) throws IOException {
    Path file = FOLDER.resolve(name);
    if (updates()) {
      Files.createDirectories(FOLDER);
      Files.write(file, actual);
    }
    assertThat(actual).isEqualTo(Files.readAllLines(file));
  }

  public static void picture(String name, int width, int height, int[] actual) throws IOException {
    Path file = FOLDER.resolve(name);
    if (updates()) {
      Files.createDirectories(FOLDER);
      try (OutputStream target = Files.newOutputStream(file)) {
        PngWriter.write(width, height, actual, target);
      }
    }
    BufferedImage expected = ImageIO.read(file.toFile());
    assertThat(expected.getWidth()).isEqualTo(width);
    assertThat(expected.getHeight()).isEqualTo(height);
    int different = 0;
    for (int i = 0; i < actual.length; i++) {
      int other = expected.getRGB(i % width, i / width);
      int most = 0;
      for (int shift = 0; shift <= 16; shift += 8) {
        most = Math.max(most, Math.abs((actual[i] >> shift & 0xFF) - (other >> shift & 0xFF)));
      }
      different += most > CHANNEL_TOLERANCE ? 1 : 0;
    }
    assertThat(different / (double) actual.length)
        .as("share of pixels that differ in " + name)
        .isLessThan(PIXEL_TOLERANCE);
  }
}
