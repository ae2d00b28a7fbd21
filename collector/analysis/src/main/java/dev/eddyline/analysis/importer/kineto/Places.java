package dev.eddyline.analysis.importer.kineto;

import dev.eddyline.analysis.importer.TraceInput;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Lines and columns of places in a file. They are counted when one is asked for, by reading the
 * file once more up to there, so that good files do not pay for it.
 */
final class Places {
  private Places() {}

  /**
   * {@code file:line:column} of a byte of a file's expanded content; lines and columns count from 1
   * and columns are characters. Without line and column if the file cannot be read again.
   */
  static String of(Path file, long offset) {
    long line = 1;
    long column = 1;
    try (TraceInput input = TraceInput.open(file, told -> {})) {
      byte[] bytes = new byte[1 << 16];
      long left = offset;
      while (left > 0) {
        int n = input.read(bytes, 0, (int) Math.min(bytes.length, left));
        if (n < 0) {
          break;
        }
        left -= n;
        for (int i = 0; i < n; i++) {
          if (bytes[i] == '\n') {
            line++;
            column = 1;
          } else if ((bytes[i] & 0xC0) != 0x80) {
            column++;
          }
        }
      }
    } catch (IOException e) {
      return file.toString();
    }
    return file + ":" + line + ":" + column;
  }
}
