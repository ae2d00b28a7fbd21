package dev.eddyline.trace;

/**
 * Valid zstd frames without compression, for where zstd-jni cannot be loaded: a frame header that
 * tells the content's size, then raw blocks (RFC 8878).
 *
 * <pre>
 *    0               4    5               9            12
 *   +---------------+----+---------------+------------+-----------------+----- - -
 *   | 0xFD2FB528    | A0 | content size  | block head | up to 128 KiB   | …
 *   +---------------+----+---------------+------------+-----------------+----- - -
 *                     |                    bit 0: last block, bits 1-2: 0 (raw), then the length
 *                     single segment, content size in 4 bytes, no checksum, no dictionary
 * </pre>
 */
public final class RawBlocks implements Compressor {
  private static final int MAGIC = 0xFD2FB528;
  private static final int DESCRIPTOR_OFFSET = 4;
  private static final int CONTENT_SIZE_OFFSET = 5;
  private static final int BLOCKS_OFFSET = 9;
  private static final int DESCRIPTOR = 0xA0;
  private static final int BLOCK_HEAD_BYTES = 3;
  private static final int BLOCK_BYTES = 128 << 10;
  private static final int LAST_BLOCK = 1;

  RawBlocks() {}

  @Override
  public int bound(int contentLength) {
    int blocks = Math.max(1, (contentLength + BLOCK_BYTES - 1) / BLOCK_BYTES);
    return BLOCKS_OFFSET + blocks * BLOCK_HEAD_BYTES + contentLength;
  }

  @Override
  public int compress(byte[] content, int length, byte[] target, int at) {
    putInt(target, at, MAGIC);
    target[at + DESCRIPTOR_OFFSET] = (byte) DESCRIPTOR;
    putInt(target, at + CONTENT_SIZE_OFFSET, length);
    int to = at + BLOCKS_OFFSET;
    int from = 0;
    do {
      int size = Math.min(BLOCK_BYTES, length - from);
      int head = size << 3 | (from + size == length ? LAST_BLOCK : 0);
      target[to] = (byte) head;
      target[to + 1] = (byte) (head >>> 8);
      target[to + 2] = (byte) (head >>> 16);
      System.arraycopy(content, from, target, to + BLOCK_HEAD_BYTES, size);
      to += BLOCK_HEAD_BYTES + size;
      from += size;
    } while (from < length);
    return to - at;
  }

  @Override
  public boolean isRaw() {
    return true;
  }

  @Override
  public void close() {}

  /**
   * Expands a frame that this class made.
   *
   * @param frame the zstd frame
   * @param length its length
   * @param target takes the content, whose size must be {@code contentLength}
   * @return whether it was such a frame
   */
  public static boolean expand(byte[] frame, int length, byte[] target, int contentLength) {
    if (length < BLOCKS_OFFSET
        || getInt(frame, 0) != MAGIC
        || (frame[DESCRIPTOR_OFFSET] & 0xFF) != DESCRIPTOR
        || getInt(frame, CONTENT_SIZE_OFFSET) != contentLength) {
      return false;
    }
    int from = BLOCKS_OFFSET;
    int to = 0;
    boolean last = false;
    while (!last) {
      if (length - from < BLOCK_HEAD_BYTES) {
        return false;
      }
      int head =
          frame[from] & 0xFF | (frame[from + 1] & 0xFF) << 8 | (frame[from + 2] & 0xFF) << 16;
      last = (head & LAST_BLOCK) != 0;
      int size = head >>> 3;
      from += BLOCK_HEAD_BYTES;
      if ((head >>> 1 & 3) != 0 || size > length - from || size > contentLength - to) {
        return false;
      }
      System.arraycopy(frame, from, target, to, size);
      from += size;
      to += size;
    }
    return to == contentLength && from == length;
  }

  private static void putInt(byte[] target, int at, int value) {
    for (int i = 0; i < Integer.BYTES; i++) {
      target[at + i] = (byte) (value >>> 8 * i);
    }
  }

  private static int getInt(byte[] source, int at) {
    int value = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      value |= (source[at + i] & 0xFF) << 8 * i;
    }
    return value;
  }
}
