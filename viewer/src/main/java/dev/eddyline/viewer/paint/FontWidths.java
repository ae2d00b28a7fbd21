package dev.eddyline.viewer.paint;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * How wide text is in the font that comes with the viewer, DejaVu Sans Condensed: read from the
 * tables of the font file, so that every painter breaks labels at the same letter and none of them
 * needs a window system. Letters are taken one by one, without kerning.
 */
public final class FontWidths {
  /** The font file, as a resource beside this class. */
  public static final String RESOURCE = "DejaVuSansCondensed.ttf";

  /** Its name. */
  public static final String FAMILY = "DejaVu Sans Condensed";

  private static final char ELLIPSIS = '…';
  private static final int TABLE_ENTRY = 16;
  private static final FontWidths INSTANCE = read();

  private final float[] advance = new float[1 << 16];

  private FontWidths(ByteBuffer font) {
    int head = table(font, "head");
    int hhea = table(font, "hhea");
    int hmtx = table(font, "hmtx");
    int cmap = table(font, "cmap");
    float unitsPerEm = font.getShort(head + 18);
    int metrics = font.getShort(hhea + 34) & 0xFFFF;
    int format4 = format4(font, cmap);
    int segments = (font.getShort(format4 + 6) & 0xFFFF) / 2;
    int ends = format4 + 14;
    int starts = ends + segments * 2 + 2;
    int deltas = starts + segments * 2;
    int ranges = deltas + segments * 2;
    for (int s = 0; s < segments; s++) {
      int first = font.getShort(starts + s * 2) & 0xFFFF;
      int last = font.getShort(ends + s * 2) & 0xFFFF;
      int range = font.getShort(ranges + s * 2) & 0xFFFF;
      for (int c = first; c <= last && c < 0xFFFF; c++) {
        int glyph = c;
        if (range != 0) {
          glyph = font.getShort(ranges + s * 2 + range + (c - first) * 2) & 0xFFFF;
        }
        if (range == 0 || glyph != 0) {
          glyph = glyph + font.getShort(deltas + s * 2) & 0xFFFF;
        }
        int metric = Math.min(glyph, metrics - 1);
        advance[c] = (font.getShort(hmtx + metric * 4) & 0xFFFF) / unitsPerEm;
      }
    }
  }

  private static FontWidths read() {
    try (InputStream source = open()) {
      return new FontWidths(ByteBuffer.wrap(source.readAllBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The font file. */
  public static InputStream open() {
    return Objects.requireNonNull(FontWidths.class.getResourceAsStream(RESOURCE));
  }

  /** The widths of the font that comes with the viewer. */
  public static FontWidths get() {
    return INSTANCE;
  }

  private static int table(ByteBuffer font, String tag) {
    int tables = font.getShort(4);
    for (int i = 0; i < tables; i++) {
      int entry = 12 + i * TABLE_ENTRY;
      StringBuilder name = new StringBuilder();
      for (int c = 0; c < 4; c++) {
        name.append((char) font.get(entry + c));
      }
      if (name.toString().equals(tag)) {
        return font.getInt(entry + 8);
      }
    }
    throw new IllegalStateException("the font has no table " + tag);
  }

  private static int format4(ByteBuffer font, int cmap) {
    int subtables = font.getShort(cmap + 2);
    for (int i = 0; i < subtables; i++) {
      int at = cmap + font.getInt(cmap + 4 + i * 8 + 4);
      if (font.getShort(at) == 4) {
        return at;
      }
    }
    throw new IllegalStateException("the font maps no characters of the basic plane");
  }

  /** Width of text in logical pixels. */
  public double width(String text, double size) {
    double sum = 0;
    for (int i = 0; i < text.length(); i++) {
      sum += advance[text.charAt(i)];
    }
    return sum * size;
  }

  /** As much of a text as fits, with an ellipsis where some is left out; "" if nothing does. */
  public String fit(String text, double size, double room) {
    double left = room / size;
    double sum = 0;
    double ellipsis = advance[ELLIPSIS];
    int fits = 0;
    for (int i = 0; i < text.length(); i++) {
      sum += advance[text.charAt(i)];
      if (sum + ellipsis <= left) {
        fits = i + 1;
      }
      if (sum > left) {
        return fits < 2 ? "" : text.substring(0, fits) + ELLIPSIS;
      }
    }
    return text;
  }
}
