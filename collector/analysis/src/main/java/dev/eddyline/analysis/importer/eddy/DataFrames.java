package dev.eddyline.analysis.importer.eddy;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.dataformat.cbor.CBORParser;
import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.trace.FrameKind;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Decodes the data frames of a file, several at a time, and hands them on in their order. */
final class DataFrames {
  /**
   * A frame that was decoded.
   *
   * @param blocks its rows, with the timeline's times and ids
   * @param rowsLeftOut rows that name something undefined
   * @param stringsLost values that are {@link RowMapper#LOST}
   * @param rowsOfUnknownTypes rows of types that this release does not know
   */
  record Decoded(
      Frame frame, List<Block> blocks, int rowsLeftOut, int stringsLost, long rowsOfUnknownTypes) {}

  /** What one decoding thread needs. */
  private record Decoder(FrameExpander expander, BlockReader blocks) {}

  private static final long PROGRESS_NANOS = 250_000_000L;
  private final FileChannel file;
  private final RowMapper mapper;
  private final ReadOptions options;
  private final int parallelism;
  private final Queue<Decoder> decoders = new ConcurrentLinkedQueue<>();
  private long toldAt = System.nanoTime();

  DataFrames(FileChannel file, RowMapper mapper, ReadOptions options, int parallelism) {
    this.file = file;
    this.mapper = mapper;
    this.options = options;
    this.parallelism = parallelism;
  }

  /**
   * Reads all data frames.
   *
   * @param frames the frames of the file
   * @param gaps takes the frames that cannot be used
   * @param target takes the others, in order, on the calling thread
   */
  void read(List<Frame> frames, Gaps gaps, Consumer<Decoded> target) throws IOException {
    List<Frame> data =
        frames.stream().filter(frame -> frame.header().kind() == FrameKind.DATA).toList();
    try {
      if (parallelism < 2 || data.size() < 2) {
        for (Frame frame : data) {
          take(frame, () -> decode(frame), gaps, target);
        }
      } else {
        readInParallel(data, gaps, target);
      }
    } finally {
      decoders.forEach(decoder -> decoder.expander.close());
    }
  }

  private void readInParallel(List<Frame> data, Gaps gaps, Consumer<Decoded> target)
      throws IOException {
    ExecutorService pool =
        Executors.newFixedThreadPool(
            parallelism,
            task -> {
              Thread thread = new Thread(task, "eddyline-decode");
              thread.setDaemon(true);
              return thread;
            });
    try {
      ArrayDeque<Future<Decoded>> ahead = new ArrayDeque<>();
      int next = 0;
      for (Frame frame : data) {
        for (; next < data.size() && ahead.size() < 2 * parallelism; next++) {
          Frame toDecode = data.get(next);
          ahead.add(pool.submit(() -> decode(toDecode)));
        }
        Future<Decoded> decoded = ahead.remove();
        take(frame, () -> await(decoded), gaps, target);
      }
    } finally {
      pool.shutdownNow();
    }
  }

  private interface Decoding {
    Decoded get() throws IOException, DamagedFrameException;
  }

  private void take(Frame frame, Decoding decoding, Gaps gaps, Consumer<Decoded> target)
      throws IOException {
    try {
      target.accept(decoding.get());
    } catch (DamagedFrameException e) {
      gaps.add(frame.offset(), frame.end(), e.expected());
    }
    long now = System.nanoTime();
    if (now - toldAt >= PROGRESS_NANOS) {
      toldAt = now;
      options.progress().accept(frame.end());
    }
  }

  private static Decoded await(Future<Decoded> decoded) throws IOException, DamagedFrameException {
    try {
      return decoded.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("reading was interrupted");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof DamagedFrameException damaged) {
        throw damaged;
      }
      if (e.getCause() instanceof IOException failed) {
        throw failed;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private Decoded decode(Frame frame) throws IOException, DamagedFrameException {
    Decoder known = decoders.poll();
    Decoder decoder =
        known != null
            ? known
            : new Decoder(new FrameExpander(file, options.limits()), new BlockReader());
    try (CBORParser parser = decoder.expander.open(frame)) {
      List<Block> blocks = decoder.blocks.read(parser, frame.header().records());
      int rowsLeftOut = 0;
      int stringsLost = 0;
      for (Block block : blocks) {
        RowMapper.Outcome outcome = mapper.map(block);
        rowsLeftOut += outcome.rowsLeftOut();
        stringsLost += outcome.stringsLost();
      }
      return new Decoded(
          frame, blocks, rowsLeftOut, stringsLost, decoder.blocks.rowsOfUnknownTypes());
    } catch (JacksonException e) {
      throw new DamagedFrameException("a frame of valid CBOR", e);
    } finally {
      decoders.add(decoder);
    }
  }
}
