package dev.eddyline.trace;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The zstd skippable frame that stands before each frame of a trace file. All numbers are little
 * endian.
 *
 * <pre>
 *    0               4               8               12      14   15   16
 *   +---------------+---------------+---------------+-------+----+----+
 *   | 0x184D2A5E    | size 44       | 'E' 'D' 'D' 'Y'|version|kind|flag|
 *   +---------------+---------------+---------------+-------+----+----+
 *   16              20              24              28              32
 *   +---------------+---------------+---------------+---------------+
 *   | compressed    | expanded      | records       | hash          |
 *   +---------------+---------------+---------------+---------------+
 *   32                              40                              48
 *   +-------------------------------+-------------------------------+
 *   | first time                    | last time                     |
 *   +-------------------------------+-------------------------------+
 *   48              52
 *   +---------------+
 *   | header hash   |   then the zstd frame of "compressed" bytes
 *   +---------------+
 * </pre>
 *
 * @param version format version of the file
 * @param kind what the frame holds
 * @param rawBlocks whether the zstd frame holds raw blocks only, because no compressor was there
 * @param compressed bytes of the zstd frame that follows
 * @param expanded bytes of its content
 * @param records rows of all blocks of a data frame, entries of a dictionary frame, else 1
 * @param hash CRC-32C of the zstd frame
 * @param firstTime earliest start in the frame, nanoseconds on the file's axis; {@link #NO_FIRST}
 *     where it holds no times
 * @param lastTime latest end in the frame; {@link #NO_LAST} where it holds no times
 */
public record FrameHeader(
    int version,
    FrameKind kind,
    boolean rawBlocks,
    int compressed,
    int expanded,
    int records,
    int hash,
    long firstTime,
    long lastTime) {

  /** The format version that this writer writes. */
  public static final int VERSION = 1;

  /** The first Eddyline release that reads {@link #VERSION}. */
  public static final String NEEDS = "0.1.0";

  /** First four bytes of every frame: one of zstd's magics for frames to skip. */
  public static final int MAGIC = 0x184D2A5E;

  /** "EDDY" in ASCII. */
  public static final int SIGNATURE = 0x59444445;

  public static final int MAGIC_OFFSET = 0;
  public static final int SIZE_OFFSET = 4;
  public static final int SIGNATURE_OFFSET = 8;
  public static final int VERSION_OFFSET = 12;
  public static final int KIND_OFFSET = 14;
  public static final int FLAGS_OFFSET = 15;
  public static final int COMPRESSED_OFFSET = 16;
  public static final int EXPANDED_OFFSET = 20;
  public static final int RECORDS_OFFSET = 24;
  public static final int HASH_OFFSET = 28;
  public static final int FIRST_TIME_OFFSET = 32;
  public static final int LAST_TIME_OFFSET = 40;
  public static final int HEADER_HASH_OFFSET = 48;

  /** Bytes of the skippable frame with its magic and size. */
  public static final int BYTES = 52;

  private static final int CONTENT_BYTES = BYTES - SIGNATURE_OFFSET;
  private static final int FLAG_RAW_BLOCKS = 1;

  /** First time of a frame without times. */
  public static final long NO_FIRST = Long.MAX_VALUE;

  /** Last time of a frame without times. */
  public static final long NO_LAST = Long.MIN_VALUE;

  /** Most rows that one block may have: bounds what a constant column can expand to. */
  public static final int MAX_BLOCK_ROWS = 1 << 16;

  /** Most rows that one data frame may have. */
  public static final int MAX_FRAME_ROWS = 1 << 18;

  /** Writes the header at an index of a buffer; its position and order stay as they are. */
  void encode(ByteBuffer buffer, int at) {
    ByteBuffer target = buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    target.putInt(at + MAGIC_OFFSET, MAGIC);
    target.putInt(at + SIZE_OFFSET, CONTENT_BYTES);
    target.putInt(at + SIGNATURE_OFFSET, SIGNATURE);
    target.putShort(at + VERSION_OFFSET, (short) version);
    target.put(at + KIND_OFFSET, (byte) kind.code());
    target.put(at + FLAGS_OFFSET, (byte) (rawBlocks ? FLAG_RAW_BLOCKS : 0));
    target.putInt(at + COMPRESSED_OFFSET, compressed);
    target.putInt(at + EXPANDED_OFFSET, expanded);
    target.putInt(at + RECORDS_OFFSET, records);
    target.putInt(at + HASH_OFFSET, hash);
    target.putLong(at + FIRST_TIME_OFFSET, firstTime);
    target.putLong(at + LAST_TIME_OFFSET, lastTime);
    target.putInt(at + HEADER_HASH_OFFSET, headerHash(target, at));
  }

  /**
   * Reads a header.
   *
   * @param buffer holds at least {@link #BYTES} bytes from {@code at}
   * @return null where there is none: another magic, a wrong hash, an unknown kind, a negative or
   *     impossible number. A version other than {@link #VERSION} is no reason.
   */
  public static @Nullable FrameHeader decode(ByteBuffer buffer, int at) {
    ByteBuffer source = buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    if (source.getInt(at + MAGIC_OFFSET) != MAGIC
        || source.getInt(at + SIZE_OFFSET) != CONTENT_BYTES
        || source.getInt(at + SIGNATURE_OFFSET) != SIGNATURE
        || source.getInt(at + HEADER_HASH_OFFSET) != headerHash(source, at)) {
      return null;
    }
    FrameKind kind = FrameKind.ofCode(source.get(at + KIND_OFFSET));
    int compressed = source.getInt(at + COMPRESSED_OFFSET);
    int expanded = source.getInt(at + EXPANDED_OFFSET);
    int records = source.getInt(at + RECORDS_OFFSET);
    if (kind == null || compressed <= 0 || expanded < 0 || records < 0) {
      return null;
    }
    return new FrameHeader(
        source.getShort(at + VERSION_OFFSET) & 0xFFFF,
        kind,
        (source.get(at + FLAGS_OFFSET) & FLAG_RAW_BLOCKS) != 0,
        compressed,
        expanded,
        records,
        source.getInt(at + HASH_OFFSET),
        source.getLong(at + FIRST_TIME_OFFSET),
        source.getLong(at + LAST_TIME_OFFSET));
  }

  /** The hash of a zstd frame, as {@link #hash()} holds it. */
  public static int hashOf(byte[] bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }

  private static int headerHash(ByteBuffer buffer, int at) {
    ByteBuffer hashed = buffer.duplicate();
    hashed.limit(at + HEADER_HASH_OFFSET).position(at + SIGNATURE_OFFSET);
    CRC32C crc = new CRC32C();
    crc.update(hashed);
    return (int) crc.getValue();
  }
}
