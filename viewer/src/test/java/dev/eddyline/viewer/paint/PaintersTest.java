package dev.eddyline.viewer.paint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.viewer.paint.Painter.Curve;
import dev.eddyline.viewer.paint.Painter.Stroke;
import java.awt.Font;
import java.awt.font.FontRenderContext;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PaintersTest {
  @Test
  void widths_are_those_of_the_font() throws Exception {
    Font font = Font.createFont(Font.TRUETYPE_FONT, FontWidths.open()).deriveFont(100f);
    FontRenderContext context = new FontRenderContext(null, true, true);
    for (String text : List.of("all-reduce #0", "cudaStreamSynchronize", "µs…éЖ", "")) {
      double expected = 0;
      for (char c : text.toCharArray()) {
        expected += font.getStringBounds(String.valueOf(c), context).getWidth();
      }
      assertThat(FontWidths.get().width(text, 100)).isCloseTo(expected, Offset.offset(0.6));
    }
  }

  @Test
  void text_is_cut_where_it_no_longer_fits() {
    FontWidths widths = FontWidths.get();
    String text = "cudaStreamSynchronize";
    assertThat(widths.fit(text, 11, 500)).isEqualTo(text);
    assertThat(widths.fit(text, 11, 5)).isEmpty();
    for (double room = 20; room < 140; room += 3) {
      assertThat(widths.width(widths.fit(text, 11, room), 11)).isLessThanOrEqualTo(room);
    }
  }

  @Test
  void svg_is_well_formed_whatever_names_a_trace_has() throws Exception {
    SvgPainter painter = new SvgPainter(300, 200);
    painter.clip(0, 0, 100, 100);
    painter.text(1, 2, 11, "void f<int>(a && b) \u0000\uFFFF\uD800 \"x\"", 0xFF112233);
    painter.clip(0, 0, 50, 50);
    painter.fill(0, 0, 10.333333, 1, 0x80FF0000);
    painter.pattern(Painter.Pattern.HATCH, 0, 0, 10, 10, 0xFFFFFFFF);
    painter.unclip();
    painter.curve(Curve.line(0, 0, 10, 10), Stroke.STRONG_DASHED, true, 0xFFFF0000);

    var document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(painter.document().getBytes(StandardCharsets.UTF_8)));
    assertThat(document.getElementsByTagName("text").item(0).getTextContent())
        .isEqualTo("void f<int>(a && b) ??? \"x\"");
    assertThat(document.getElementsByTagName("g").getLength()).isEqualTo(2);
  }

  @Test
  void png_holds_the_pixels() throws IOException {
    int[] pixels = new int[7 * 5];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = i * 0x01234567;
    }
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    PngWriter.write(7, 5, pixels, file);
    var image = ImageIO.read(new ByteArrayInputStream(file.toByteArray()));

    assertThat(image.getWidth()).isEqualTo(7);
    for (int i = 0; i < pixels.length; i++) {
      assertThat(image.getRGB(i % 7, i / 7) & 0xFFFFFF).isEqualTo(pixels[i] & 0xFFFFFF);
    }
  }

  @Test
  void the_raster_draws_inside_the_clip_and_blends() {
    int[] pixels = new int[10 * 10];
    PixelRaster raster = new PixelRaster(10, 10, pixels);
    raster.fill(-5, -5, 50, 50, 0xFF000000);
    raster.clip(2, 2, 4, 4);
    raster.fill(0, 0, 10, 10, 0x80FFFFFF);
    raster.unclip();

    assertThat(pixels[2 * 10 + 2]).isEqualTo(0xFF808080);
    assertThat(pixels[4 * 10 + 4]).isEqualTo(0xFF000000);
    assertThat(pixels[1]).isEqualTo(0xFF000000);
  }

  static Stream<Theme> themes() {
    return Stream.of(Theme.DARK, Theme.LIGHT);
  }

  @ParameterizedTest
  @MethodSource("themes")
  void colours_can_be_told_apart(Theme theme) throws Exception {
    for (int behind : new int[] {theme.background(), theme.panel()}) {
      assertThat(Theme.contrast(theme.text(), behind)).isGreaterThan(4.5);
      assertThat(Theme.contrast(theme.dim(), behind)).isGreaterThan(4.5);
      assertThat(Theme.contrast(theme.missing(), behind)).isGreaterThan(4.5);
    }
    for (int slice :
        new int[] {
          theme.compute(),
          theme.communication(),
          theme.both(),
          theme.copy(),
          theme.call(),
          theme.range()
        }) {
      assertThat(Theme.contrast(theme.onSlice(), slice)).isGreaterThan(4.5);
    }
    for (int line :
        new int[] {
          theme.recorded(), theme.inferred(), theme.unknown(), theme.ready(), theme.selected()
        }) {
      assertThat(Theme.contrast(line, theme.background())).isGreaterThan(3);
    }
    assertThat(Theme.contrast(theme.blocked(), theme.call())).isGreaterThan(2.5);
    for (RecordComponent part : Theme.class.getRecordComponents()) {
      if (part.getType() == int.class) {
        assertThat((int) part.getAccessor().invoke(theme) >>> 24).isEqualTo(0xFF);
      }
    }
  }
}
