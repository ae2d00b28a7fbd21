package dev.eddyline.viewer.paint;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/**
 * Writes pixels as PNG, eight bits a channel, without alpha. The same pixels give the same bytes.
 */
public final class PngWriter {
  private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10};
  private static final int EIGHT_BITS = 8;
  private static final int TRUE_COLOUR = 2;

  /** The filter that stores each byte as its difference to the one above: rows repeat. */
  private static final int FILTER_UP = 2;

  private PngWriter() {}

  /** Writes a picture; does not close the target. */
  public static void write(int width, int height, int[] pixels, OutputStream target)
      throws IOException {
    DataOutputStream out = new DataOutputStream(target);
    out.write(SIGNATURE);
    ByteArrayOutputStream header = new ByteArrayOutputStream();
    DataOutputStream fields = new DataOutputStream(header);
    fields.writeInt(width);
    fields.writeInt(height);
    fields.write(new byte[] {EIGHT_BITS, TRUE_COLOUR, 0, 0, 0});
    chunk("IHDR", header.toByteArray(), out);
    chunk("IDAT", compressed(width, height, pixels), out);
    chunk("IEND", new byte[0], out);
    out.flush();
  }

  private static byte[] compressed(int width, int height, int[] pixels) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
    try (DeflaterOutputStream data = new DeflaterOutputStream(packed, deflater)) {
      byte[] above = new byte[width * 3];
      byte[] row = new byte[width * 3];
      byte[] line = new byte[width * 3 + 1];
      line[0] = FILTER_UP;
      for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
          int pixel = pixels[y * width + x];
          row[x * 3] = (byte) (pixel >> 16);
          row[x * 3 + 1] = (byte) (pixel >> 8);
          row[x * 3 + 2] = (byte) pixel;
        }
        for (int i = 0; i < row.length; i++) {
          line[i + 1] = (byte) (row[i] - above[i]);
        }
        data.write(line);
        byte[] swap = above;
        above = row;
        row = swap;
      }
    } finally {
      deflater.end();
    }
    return packed.toByteArray();
  }

  private static void chunk(String type, byte[] data, DataOutputStream out) throws IOException {
    byte[] name = type.getBytes(StandardCharsets.US_ASCII);
    CRC32 crc = new CRC32();
    crc.update(name);
    crc.update(data);
    out.writeInt(data.length);
    out.write(name);
    out.write(data);
    out.writeInt((int) crc.getValue());
  }
}
