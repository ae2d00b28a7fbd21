package dev.eddyline.analysis.importer.kineto;

import java.io.IOException;
import java.io.InputStream;

/** A stream into which bytes can be put back that were read too far. */
final class Splice extends InputStream {
  private final InputStream source;
  private byte[] ahead = new byte[0];
  private int at;

  Splice(InputStream source) {
    this.source = source;
  }

  /** Puts bytes before all that is still to come. */
  void putBack(byte[] bytes) {
    byte[] all = new byte[bytes.length + ahead.length - at];
    System.arraycopy(bytes, 0, all, 0, bytes.length);
    System.arraycopy(ahead, at, all, bytes.length, ahead.length - at);
    ahead = all;
    at = 0;
  }

  @Override
  public int read() throws IOException {
    if (at < ahead.length) {
      return ahead[at++] & 0xFF;
    }
    byte[] one = new byte[1];
    int n = source.read(one, 0, 1);
    return n <= 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (at < ahead.length) {
      int size = Math.min(length, ahead.length - at);
      System.arraycopy(ahead, at, target, offset, size);
      at += size;
      return size;
    }
    return source.read(target, offset, length);
  }
}
