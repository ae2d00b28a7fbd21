package dev.eddyline.analysis.importer.eddy;

import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import com.fasterxml.jackson.dataformat.cbor.CBORParser;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import dev.eddyline.analysis.importer.TraceReadLimits;
import dev.eddyline.trace.FrameHeader;
import dev.eddyline.trace.RawBlocks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/** Reads, verifies and expands frames of a file; keeps its buffers. For one thread at a time. */
final class FrameExpander implements AutoCloseable {
  private final FileChannel file;
  private final CBORFactory factory;
  private byte[] compressed = new byte[0];
  private byte[] expanded = new byte[0];
  private @Nullable ZstdDecompressCtx zstd;

  FrameExpander(FileChannel file, TraceReadLimits limits) {
    this.file = file;
    this.factory =
        CBORFactory.builder().streamReadConstraints(limits.streamReadConstraints()).build();
  }

  /**
   * A parser of a frame's content; valid until the next call.
   *
   * @throws DamagedFrameException if its hash is wrong or it does not expand to what it says
   */
  CBORParser open(Frame frame) throws IOException, DamagedFrameException {
    FrameHeader header = frame.header();
    compressed = room(compressed, header.compressed());
    ByteBuffer target = ByteBuffer.wrap(compressed, 0, header.compressed());
    FrameIndex.readFully(file, target, frame.content());
    if (target.hasRemaining()
        || FrameHeader.hashOf(compressed, 0, header.compressed()) != header.hash()) {
      throw new DamagedFrameException("a frame with the hash that its header tells");
    }
    expanded = room(expanded, header.expanded());
    if (expand(header) != header.expanded()) {
      throw new DamagedFrameException("a zstd frame of " + header.expanded() + " bytes");
    }
    return factory.createParser(expanded, 0, header.expanded());
  }

  private int expand(FrameHeader header) throws DamagedFrameException {
    if (header.rawBlocks()
        && RawBlocks.expand(compressed, header.compressed(), expanded, header.expanded())) {
      return header.expanded();
    }
    try {
      if (zstd == null) {
        zstd = new ZstdDecompressCtx();
      }
      return zstd.decompressByteArray(
          expanded, 0, header.expanded(), compressed, 0, header.compressed());
    } catch (ZstdException e) {
      throw new DamagedFrameException("a zstd frame of " + header.expanded() + " bytes", e);
    }
  }

  private static byte[] room(byte[] buffer, int bytes) {
    return buffer.length >= bytes ? buffer : new byte[bytes];
  }

  @Override
  public void close() {
    if (zstd != null) {
      zstd.close();
    }
  }
}
