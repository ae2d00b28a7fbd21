package dev.eddyline.marks;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The records that {@link Marks} writes, little-endian:
 *
 * <pre>
 *   offset  type  what
 *        0  u16   version, 1
 *        2  u16   kind
 *        4  i32   length of the record in bytes
 *        8  i64   time, System.nanoTime()
 *       16  i64   id of the Java thread
 *       24  i64…  the numbers of the kind, in the order below
 *           u16 and UTF-8…  the strings of the kind, each its length in bytes and then the bytes
 *
 *   kind            numbers                                            strings
 *   STEP_BEGIN                                                         name
 *   RANGE_BEGIN                                                        name
 *   END
 *   STREAM_NAME     device, stream                                     name
 *   EVENT_NAME      device, event                                      name
 *   ROLE            device, stream                                     role
 *   COLLECTIVE      sequence, count in, count out, group size,         communicator, kind, dtype
 *                   send address, receive address, device, stream,
 *                   work event
 *   LAUNCH_BEGIN
 *   LAUNCH_END
 *   ALLOCATED       device, stream, memory, address, bytes             name
 *   FREED           device, stream, address
 *   USED_ON         device, stream, address
 *   RELEASED        device, address
 *   ACCESS          kind, address, bytes, 1 if by the host
 * </pre>
 *
 * Later versions append numbers before the strings only with a new kind: a reader skips kinds that
 * it does not know by their length.
 */
public final class MarkLayout {
  public static final int VERSION = 1;

  public static final int STEP_BEGIN = 1;
  public static final int RANGE_BEGIN = 2;
  public static final int END = 3;
  public static final int STREAM_NAME = 4;
  public static final int EVENT_NAME = 5;
  public static final int ROLE = 6;
  public static final int COLLECTIVE = 7;
  public static final int LAUNCH_BEGIN = 8;
  public static final int LAUNCH_END = 9;
  public static final int ALLOCATED = 10;
  public static final int FREED = 11;
  public static final int USED_ON = 12;
  public static final int RELEASED = 13;
  public static final int ACCESS = 14;

  public static final int VERSION_OFFSET = 0;
  public static final int KIND_OFFSET = 2;
  public static final int LENGTH_OFFSET = 4;
  public static final int TIME_OFFSET = 8;
  public static final int THREAD_OFFSET = 16;
  public static final int NUMBERS_OFFSET = 24;

  /** Longest string, in bytes; longer ones are cut. */
  public static final int MAX_STRING = 1024;

  /** How many numbers an ALLOCATED has. */
  public static final int ALLOCATED_NUMBERS = 5;

  /** How many numbers a COLLECTIVE has. */
  public static final int COLLECTIVE_NUMBERS = 9;

  private MarkLayout() {}

  /** The kind of a record. */
  public static int kind(ByteBuffer record) {
    return record.getShort(KIND_OFFSET) & 0xFFFF;
  }

  /** A number of a record. */
  public static long number(ByteBuffer record, int index) {
    return record.getLong(NUMBERS_OFFSET + index * Long.BYTES);
  }

  /**
   * A string of a record.
   *
   * @param numbers how many numbers the kind has
   * @param index which string, from 0
   */
  public static String text(ByteBuffer record, int numbers, int index) {
    int at = NUMBERS_OFFSET + numbers * Long.BYTES;
    for (int i = 0; i < index; i++) {
      at += Short.BYTES + (record.getShort(at) & 0xFFFF);
    }
    byte[] bytes = new byte[record.getShort(at) & 0xFFFF];
    record.get(at + Short.BYTES, bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
