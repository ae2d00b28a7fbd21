package dev.eddyline.analysis.importer.eddy;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.cbor.CBORParser;
import dev.eddyline.trace.ColumnCodec;
import dev.eddyline.trace.FrameHeader;
import dev.eddyline.trace.RecordType;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads the blocks of a data frame; values are the file's own. For one thread at a time. */
final class BlockReader {
  /** Takes the bytes of one typed array; refuses more than there are rows for. */
  private static final class Numbers extends OutputStream {
    private byte[] bytes = new byte[0];
    private int size;
    private int limit;

    void expect(int length) {
      size = 0;
      limit = length;
      if (bytes.length < length) {
        bytes = new byte[length];
      }
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
      if (length > limit - size) {
        throw new TooManyNumbers();
      }
      System.arraycopy(source, offset, bytes, size, length);
      size += length;
    }
  }

  private static final class TooManyNumbers extends IOException {
    private static final long serialVersionUID = 1L;
  }

  private final Numbers numbers = new Numbers();
  private long rowsOfUnknownTypes;

  /** Rows of the last frame that are of types that this release does not know. */
  long rowsOfUnknownTypes() {
    return rowsOfUnknownTypes;
  }

  /**
   * Reads all blocks of a frame.
   *
   * @param records how many rows the frame's header tells
   * @throws DamagedFrameException if anything is not as the format has it
   */
  List<Block> read(CBORParser parser, int records) throws IOException, DamagedFrameException {
    List<Block> blocks = new ArrayList<>();
    rowsOfUnknownTypes = 0;
    int total = 0;
    for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
      Cbor.at(parser, token, JsonToken.START_ARRAY);
      RecordType type = RecordType.ofCode(Cbor.number(parser));
      int rows = Cbor.smallNumber(parser);
      if (rows < 1 || rows > FrameHeader.MAX_BLOCK_ROWS || rows > records - total) {
        throw new DamagedFrameException("as many rows as the frame's header tells");
      }
      total += rows;
      Cbor.next(parser, JsonToken.START_ARRAY);
      if (type == null) {
        rowsOfUnknownTypes += rows;
        Cbor.skipRest(parser);
      } else {
        blocks.add(readColumns(parser, type, rows));
      }
      Cbor.skipRest(parser);
    }
    if (total != records) {
      throw new DamagedFrameException("as many rows as the frame's header tells");
    }
    return blocks;
  }

  /** Columns of a newer release are passed over; those that an older one had not are NONE. */
  private Block readColumns(CBORParser parser, RecordType type, int rows)
      throws IOException, DamagedFrameException {
    long[][] columns = new long[type.width()][];
    int column = 0;
    while (parser.nextToken() == JsonToken.START_ARRAY) {
      if (column < columns.length) {
        columns[column++] = readColumn(parser, rows);
      } else {
        Cbor.skipRest(parser);
      }
    }
    Cbor.at(parser, parser.currentToken(), JsonToken.END_ARRAY);
    while (column < columns.length) {
      columns[column++] = constant(RecordType.NONE, rows);
    }
    return new Block(type, columns, rows);
  }

  private long[] readColumn(CBORParser parser, int rows) throws IOException, DamagedFrameException {
    long encoding = Cbor.number(parser);
    long base = Cbor.number(parser);
    JsonToken token = parser.nextToken();
    if (token == JsonToken.END_ARRAY) {
      return constant(base, rows);
    }
    Cbor.at(parser, token, JsonToken.VALUE_EMBEDDED_OBJECT);
    int width = ColumnCodec.widthOf(parser.getCurrentTag());
    if (width == 0 || (encoding != ColumnCodec.OFFSET && encoding != ColumnCodec.DELTA)) {
      throw new DamagedFrameException("a column in one of the two encodings");
    }
    numbers.expect(rows * width);
    try {
      parser.readBinaryValue(numbers);
    } catch (TooManyNumbers e) {
      throw new DamagedFrameException("a typed array with one number per row", e);
    }
    if (numbers.size != numbers.limit) {
      throw new DamagedFrameException("a typed array with one number per row");
    }
    long[] values = new long[rows];
    ColumnCodec.decode((int) encoding, base, numbers.bytes, width, values, rows);
    Cbor.skipRest(parser);
    return values;
  }

  private static long[] constant(long value, int rows) {
    long[] values = new long[rows];
    Arrays.fill(values, value);
    return values;
  }
}
