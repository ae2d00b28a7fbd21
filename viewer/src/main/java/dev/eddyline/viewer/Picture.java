package dev.eddyline.viewer;

import dev.eddyline.cli.OutputException;
import dev.eddyline.viewer.chart.Chart;
import dev.eddyline.viewer.chart.ChartInput;
import dev.eddyline.viewer.paint.ImagePainter;
import dev.eddyline.viewer.paint.SvgPainter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Writes a view as a picture, without a window. */
public final class Picture {
  private Picture() {}

  /** Whether the name of a file says which kind of picture it is to be. */
  public static boolean isKnown(String file) {
    String lower = file.toLowerCase(Locale.ROOT);
    return lower.endsWith(".png") || lower.endsWith(".svg");
  }

  /** Writes the kind of picture that the name of a file says; does not close the target. */
  public static void write(ChartInput input, String file, OutputStream target) throws IOException {
    if (file.toLowerCase(Locale.ROOT).endsWith(".svg")) {
      SvgPainter painter = new SvgPainter(input.width(), input.height());
      Chart.paint(input, painter);
      target.write(painter.document().getBytes(StandardCharsets.UTF_8));
      return;
    }
    ImagePainter painter = painter(input);
    Chart.paint(input, painter);
    painter.writePng(target);
  }

  /** Java draws letters with libraries of the system, also those of a font that we bring along. */
  private static ImagePainter painter(ChartInput input) throws OutputException {
    try {
      return new ImagePainter(input.width(), input.height(), input.options().pixelScale());
    } catch (LinkageError | InternalError e) {
      throw new OutputException(
          "PNG cannot be drawn here, because Java finds no font library (apt install fontconfig);"
              + " .svg needs none",
          new IOException(e));
    }
  }
}
