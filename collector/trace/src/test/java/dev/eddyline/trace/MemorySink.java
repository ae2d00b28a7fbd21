package dev.eddyline.trace;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

class MemorySink implements FrameSink {
  final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  final List<FrameHeader> headers = new ArrayList<>();
  boolean closed;

  @Override
  public void write(FrameHeader header, byte[] frame, int length) throws IOException {
    headers.add(header);
    bytes.write(frame, 0, length);
  }

  @Override
  public void close() {
    closed = true;
  }

  List<FrameKind> kinds() {
    return headers.stream().map(FrameHeader::kind).toList();
  }

  long records() {
    return headers.stream()
        .filter(header -> header.kind() == FrameKind.DATA)
        .mapToLong(FrameHeader::records)
        .sum();
  }
}
