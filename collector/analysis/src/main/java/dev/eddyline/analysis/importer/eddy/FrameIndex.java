package dev.eddyline.analysis.importer.eddy;

import dev.eddyline.trace.FrameHeader;
import dev.eddyline.trace.FrameKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the frames of a file by their skippable frames, without touching their content. */
final class FrameIndex {
  /**
   * More than any content can expand to: zstd's shortest block has 4 bytes, the longest 128 KiB.
   */
  private static final long MAX_RATIO = 1 << 16;

  /** More than the heads of a zstd frame and of its first block take. */
  private static final int ZSTD_FRAME = 64;

  /** Longest content of a header, marks or an end mark. */
  static final int MAX_SMALL_FRAME = 1 << 20;

  private static final int WINDOW = 64 << 10;
  private final FileChannel file;
  private final long size;
  private final int maxFrameBytes;
  private final Gaps gaps;
  private final ByteBuffer header = buffer(FrameHeader.BYTES);
  private final List<Frame> frames = new ArrayList<>();

  private FrameIndex(FileChannel file, int maxFrameBytes, Gaps gaps) throws IOException {
    this.file = file;
    this.size = file.size();
    this.maxFrameBytes = maxFrameBytes;
    this.gaps = gaps;
  }

  /**
   * The usable frames of a file, in order. What lies between them is noted as a gap; where the file
   * does not end in order, a gap to its end.
   *
   * @param maxFrameBytes larger frames are left out
   */
  static List<Frame> scan(FileChannel file, int maxFrameBytes, Gaps gaps) throws IOException {
    FrameIndex index = new FrameIndex(file, maxFrameBytes, gaps);
    index.scan();
    return index.frames;
  }

  private void scan() throws IOException {
    boolean closed = false;
    long at = 0;
    while (at < size) {
      Frame frame = frameAt(at);
      if (frame == null) {
        long next = find(at + 1);
        if (next >= 0) {
          gaps.add(at, next, "a frame");
          at = next;
          continue;
        }
        if (closed) {
          gaps.add(at, size, "the end of the file");
        } else {
          gaps.add(at, Gaps.END_OF_FILE, "the rest of a frame");
          closed = true;
        }
        break;
      }
      if (at > 0 && frame.header().kind() == FrameKind.HEADER && !frames.isEmpty()) {
        gaps.add(at, size, "one trace per file, but here another one begins");
        return;
      }
      closed = frame.header().kind() == FrameKind.END;
      add(frame);
      at = frame.end();
    }
    if (!closed) {
      gaps.add(size, Gaps.END_OF_FILE, "the end mark: the file was not closed");
    }
  }

  private void add(Frame frame) {
    FrameHeader found = frame.header();
    int max = isSmall(found.kind()) ? Math.min(MAX_SMALL_FRAME, maxFrameBytes) : maxFrameBytes;
    if (found.expanded() > max || found.expanded() > found.compressed() * MAX_RATIO) {
      gaps.add(frame.offset(), frame.end(), "a frame that expands to at most " + max + " bytes");
    } else if (found.compressed() > found.expanded() + (long) found.expanded() / 64 + ZSTD_FRAME) {
      gaps.add(frame.offset(), frame.end(), "a zstd frame no longer than its content");
    } else if (found.records() > FrameHeader.MAX_FRAME_ROWS && found.kind() == FrameKind.DATA) {
      gaps.add(
          frame.offset(),
          frame.end(),
          "a frame of at most " + FrameHeader.MAX_FRAME_ROWS + " records");
    } else {
      frames.add(frame);
    }
  }

  private static boolean isSmall(FrameKind kind) {
    return kind != FrameKind.DATA && kind != FrameKind.DICTIONARY;
  }

  private @Nullable Frame frameAt(long offset) throws IOException {
    header.clear();
    readFully(file, header, offset);
    return header.hasRemaining() ? null : frame(header, 0, offset);
  }

  private @Nullable Frame frame(ByteBuffer buffer, int at, long offset) {
    FrameHeader found = FrameHeader.decode(buffer, at);
    if (found == null || found.version() != FrameHeader.VERSION) {
      return null;
    }
    Frame frame = new Frame(offset, found);
    return frame.end() <= size ? frame : null;
  }

  /** Offset of the next frame that is wholly there, or -1. */
  private long find(long from) throws IOException {
    ByteBuffer window = buffer(WINDOW);
    for (long at = from; at + FrameHeader.BYTES <= size; ) {
      window.clear();
      readFully(file, window, at);
      int last = window.position() - FrameHeader.BYTES;
      for (int i = 0; i <= last; i++) {
        if (window.getInt(i) == FrameHeader.MAGIC && frame(window, i, at + i) != null) {
          return at + i;
        }
      }
      at += last + 1;
    }
    return -1;
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Fills the buffer from a place of a file, as far as the file goes. */
  static void readFully(FileChannel file, ByteBuffer target, long from) throws IOException {
    long at = from;
    while (target.hasRemaining()) {
      int read = file.read(target, at);
      if (read < 0) {
        return;
      }
      at += read;
    }
  }
}
