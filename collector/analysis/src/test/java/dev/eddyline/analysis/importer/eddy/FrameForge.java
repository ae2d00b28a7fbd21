package dev.eddyline.analysis.importer.eddy;

import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import com.fasterxml.jackson.dataformat.cbor.CBORGenerator;
import com.github.luben.zstd.Zstd;
import dev.eddyline.trace.ColumnCodec;
import dev.eddyline.trace.FrameHeader;
import dev.eddyline.trace.FrameKind;
import dev.eddyline.trace.RecordType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

final class FrameForge {
  interface Content {
    void write(CBORGenerator out) throws IOException;
  }

  interface Change {
    void apply(ByteBuffer header);
  }

  static final Change NOTHING = header -> {};

  private FrameForge() {}

  static byte[] cbor(Content content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CBORFactory factory =
        CBORFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_CONTENT).build();
    try (CBORGenerator out = factory.createGenerator(bytes)) {
      content.write(out);
    }
    return bytes.toByteArray();
  }

  static byte[] frame(FrameKind kind, int records, byte[] content) {
    return frame(kind, records, content, NOTHING);
  }

  static byte[] frame(FrameKind kind, int records, byte[] content, Change change) {
    byte[] zstd = Zstd.compress(content);
    ByteBuffer frame =
        ByteBuffer.allocate(FrameHeader.BYTES + zstd.length).order(ByteOrder.LITTLE_ENDIAN);
    frame.putInt(FrameHeader.MAGIC_OFFSET, FrameHeader.MAGIC);
    frame.putInt(FrameHeader.SIZE_OFFSET, FrameHeader.BYTES - FrameHeader.SIGNATURE_OFFSET);
    frame.putInt(FrameHeader.SIGNATURE_OFFSET, FrameHeader.SIGNATURE);
    frame.putShort(FrameHeader.VERSION_OFFSET, (short) FrameHeader.VERSION);
    frame.put(FrameHeader.KIND_OFFSET, (byte) kind.code());
    frame.putInt(FrameHeader.COMPRESSED_OFFSET, zstd.length);
    frame.putInt(FrameHeader.EXPANDED_OFFSET, content.length);
    frame.putInt(FrameHeader.RECORDS_OFFSET, records);
    frame.putInt(FrameHeader.HASH_OFFSET, FrameHeader.hashOf(zstd, 0, zstd.length));
    frame.position(FrameHeader.BYTES).put(zstd);
    change.apply(frame);
    signHeader(frame, 0);
    return frame.array();
  }

  private static void signHeader(ByteBuffer frame, int at) {
    CRC32C crc = new CRC32C();
    crc.update(
        frame.array(),
        at + FrameHeader.SIGNATURE_OFFSET,
        FrameHeader.HEADER_HASH_OFFSET - FrameHeader.SIGNATURE_OFFSET);
    frame.putInt(at + FrameHeader.HEADER_HASH_OFFSET, (int) crc.getValue());
  }

  static byte[] withRightHashes(byte[] file) {
    ByteBuffer bytes = ByteBuffer.wrap(file.clone()).order(ByteOrder.LITTLE_ENDIAN);
    int at = 0;
    while (at + FrameHeader.BYTES <= file.length) {
      if (bytes.getInt(at) != FrameHeader.MAGIC) {
        at++;
        continue;
      }
      int room = file.length - at - FrameHeader.BYTES;
      int compressed = bytes.getInt(at + FrameHeader.COMPRESSED_OFFSET);
      int length = compressed < 0 || compressed > room ? room : compressed;
      bytes.putInt(at + FrameHeader.SIZE_OFFSET, FrameHeader.BYTES - FrameHeader.SIGNATURE_OFFSET);
      bytes.putInt(at + FrameHeader.SIGNATURE_OFFSET, FrameHeader.SIGNATURE);
      bytes.putInt(
          at + FrameHeader.HASH_OFFSET,
          FrameHeader.hashOf(bytes.array(), at + FrameHeader.BYTES, length));
      signHeader(bytes, at);
      at += FrameHeader.BYTES + length;
    }
    return bytes.array();
  }

  static byte[] header() throws IOException {
    return frame(
        FrameKind.HEADER,
        1,
        cbor(
            out -> {
              out.writeStartObject();
              out.writeStringField("format", "eddyline-trace");
              out.writeStringField("needs", "0.1.0");
              out.writeEndObject();
            }));
  }

  static byte[] definitions() throws IOException {
    return frame(
        FrameKind.DICTIONARY,
        3,
        cbor(
            out -> {
              item(out, 3, 0, 1);
              out.writeStartArray(null, 5);
              for (long field : new long[] {0, 42, -1, -1}) {
                out.writeNumber(field);
              }
              out.writeString("host");
              out.writeEndArray();
              endItem(out);
              item(out, 4, 0, 1);
              out.writeStartArray(null, 3);
              out.writeNumber(0);
              out.writeNumber(733);
              out.writeString("");
              out.writeEndArray();
              endItem(out);
              item(out, 1, 1, 1);
              out.writeString("disk");
              endItem(out);
            }));
  }

  static void item(CBORGenerator out, int kind, int firstId, int count) throws IOException {
    out.writeStartArray(null, 3);
    out.writeNumber(kind);
    out.writeNumber(firstId);
    out.writeStartArray(null, count);
  }

  static void endItem(CBORGenerator out) throws IOException {
    out.writeEndArray();
    out.writeEndArray();
  }

  static byte[] losses(long... times) throws IOException {
    return frame(FrameKind.DATA, times.length, cbor(out -> losses(out, times)));
  }

  static void losses(CBORGenerator out, long... times) throws IOException {
    out.writeStartArray(null, 3);
    out.writeNumber(RecordType.LOSS.code());
    out.writeNumber(times.length);
    out.writeStartArray(null, 4);
    ByteBuffer numbers = ByteBuffer.allocate(times.length * 8).order(ByteOrder.LITTLE_ENDIAN);
    for (long time : times) {
      numbers.putLong(time);
    }
    column(out, ColumnCodec.OFFSET, 0, ColumnCodec.TAG_UINT64, numbers.array());
    constant(out, 0);
    constant(out, 1);
    constant(out, 1);
    out.writeEndArray();
    out.writeEndArray();
  }

  static void constant(CBORGenerator out, long value) throws IOException {
    out.writeStartArray(null, 2);
    out.writeNumber(ColumnCodec.OFFSET);
    out.writeNumber(value);
    out.writeEndArray();
  }

  static void column(CBORGenerator out, int encoding, long base, int tag, byte[] numbers)
      throws IOException {
    out.writeStartArray(null, 3);
    out.writeNumber(encoding);
    out.writeNumber(base);
    out.writeTag(tag);
    out.writeBinary(numbers);
    out.writeEndArray();
  }

  static byte[] end() throws IOException {
    return frame(
        FrameKind.END,
        1,
        cbor(
            out -> {
              out.writeStartObject();
              out.writeEndObject();
            }));
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
