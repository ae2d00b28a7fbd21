package dev.eddyline.device.conformance;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.Communicator;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.Event;
import dev.eddyline.device.HostBuffer;
import dev.eddyline.device.ReduceOp;
import dev.eddyline.device.Stream;
import dev.eddyline.device.StreamOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes the calls of one run of a program; owns its streams, events and memory. */
final class Calls {
  private static final long MB = 1 << 20;
  private static final int HIGH_PRIORITY = -2;
  private static final long PAUSE = 1_000_000;

  private final Bench bench;
  private final Map<String, Stream> streams = new HashMap<>();
  private final Map<String, Event> events = new HashMap<>();
  private final Map<String, Buffer> memory = new HashMap<>();

  Calls(Bench bench, StreamProgram program) {
    this.bench = bench;
    for (Step step : program.steps()) {
      for (String word : step.words()) {
        if (word.matches("[nbhlo]\\d") && !step.call().equals("open")) {
          if (!isOpenedBy(program, word)) {
            streams.computeIfAbsent(word, this::open);
          }
        } else if (word.matches("[ef]\\d")) {
          events.computeIfAbsent(word, w -> bench.device(w.startsWith("f") ? 1 : 0).createEvent(w));
        }
      }
    }
    if (program.needsCollectives()) {
      bench.alone();
    }
  }

  private static boolean isOpenedBy(StreamProgram program, String stream) {
    return program.steps().stream().anyMatch(s -> s.words().equals(List.of("open", stream)));
  }

  private Stream open(String name) {
    return switch (name.charAt(0)) {
      case 'b' -> bench.device(0).createStream(StreamOptions.blocking(name));
      case 'h' ->
          bench.device(0).createStream(StreamOptions.nonBlocking(name).withPriority(HIGH_PRIORITY));
      case 'o' -> bench.device(1).createStream(name);
      default -> bench.device(0).createStream(name);
    };
  }

  /** A stream by its name; the per-thread default stream is that of the calling thread. */
  Stream stream(String name) {
    Device device = bench.device(0);
    return switch (name) {
      case "L" -> device.defaultStream();
      case "T" -> device.perThreadDefaultStream();
      default -> Objects.requireNonNull(streams.get(name), name);
    };
  }

  private Event event(String name) {
    return Objects.requireNonNull(events.get(name), name);
  }

  void make(Step step) {
    switch (step.call()) {
      case "kernel" -> Bench.work(stream(step.operand(0)));
      case "host" -> stream(step.operand(0)).hostFunction("nothing", () -> {});
      case "copy" -> copy(step, stream(step.operand(0)), step.operand(1));
      case "memcpy" -> copy(step, null, step.operand(0));
      case "fill" -> stream(step.operand(0)).fill(filled(step, step.operand(1)), 1);
      case "memset" -> bench.device(0).fill(filled(step, step.operand(0)), 1);
      case "record" -> stream(step.operand(1)).record(event(step.operand(0)));
      case "wait" -> stream(step.operand(0)).waitFor(event(step.operand(1)));
      case "wait-stream" -> stream(step.operand(0)).waitFor(stream(step.operand(1)));
      case "sync" -> stream(step.operand(0)).synchronize();
      case "event-sync" -> event(step.operand(0)).synchronize();
      case "device-sync" -> bench.device(0).synchronize();
      case "query" -> stream(step.operand(0)).isDone();
      case "event-query" -> event(step.operand(0)).isDone();
      case "open" -> streams.put(step.operand(0), open(step.operand(0)));
      case "close" -> stream(step.operand(0)).close();
      case "event-close" -> event(step.operand(0)).close();
      case "pause" -> bench.platform.host().sleep(PAUSE);
      case "group" -> bench.platform.collectives().groupStart();
      case "end" -> bench.platform.collectives().groupEnd();
      default -> makeOther(step);
    }
  }

  private void makeOther(Step step) {
    if (step.isCollective()) {
      collective(step);
      return;
    }
    Device device = bench.device(0);
    switch (step.call()) {
      case "malloc" -> memory.put(step.operand(0), device.allocate(DataType.INT8, MB));
      case "malloc-large" -> memory.put(step.operand(0), device.allocate(DataType.INT8, MB << 10));
      case "malloc-pinned" -> memory.put(step.operand(0), device.allocatePinned(DataType.INT8, MB));
      case "free" -> free(step.operand(0));
      case "alloc" ->
          memory.put(step.operand(1), stream(step.operand(0)).allocate(DataType.INT8, MB));
      case "free-async" ->
          stream(step.operand(0)).free(Objects.requireNonNull(memory.remove(step.operand(1))));
      case "memory-info" -> device.freeBytes();
      default -> throw new IllegalArgumentException("no call '" + step + "'");
    }
  }

  private void free(String name) {
    Buffer buffer = Objects.requireNonNull(memory.remove(name), name);
    if (buffer.kind() == Buffer.Kind.DEVICE) {
      bench.device(0).free(buffer);
    } else {
      bench.device(0).free((HostBuffer) buffer);
    }
  }

  private void copy(Step step, @Nullable Stream stream, String how) {
    long at = step.number() * Bench.SLOT;
    Buffer source = bench.from.get(0).slice(at, Bench.SLOT);
    Buffer target = bench.to.get(0).slice(at, Bench.SLOT);
    switch (how) {
      case "h2d-pinned" -> source = bench.pinned.slice(at, Bench.SLOT);
      case "d2h-pinned" -> target = bench.pinned.slice(at, Bench.SLOT);
      case "h2d-pageable" -> source = bench.pageable.slice(at, Bench.SLOT);
      case "d2h-pageable" -> target = bench.pageable.slice(at, Bench.SLOT);
      case "d2d" -> {
        // Both are on the device already.
      }
      default -> {
        long bytes = megabytes(how) << 20;
        source = bench.pageable.slice(0, bytes);
        target = bench.to.get(0).slice(0, bytes);
      }
    }
    if (stream == null) {
      bench.device(0).copy(target, source);
    } else {
      stream.copy(target, source);
    }
  }

  /** Reads "h2d-4-mb". */
  private static long megabytes(String how) {
    String[] words = how.split("-");
    if (words.length != 3 || !words[0].equals("h2d") || !words[2].equals("mb")) {
      throw new IllegalArgumentException("no copy '" + how + "'");
    }
    return Long.parseLong(words[1]);
  }

  private Buffer filled(Step step, String where) {
    Buffer whole = where.equals("pinned") ? bench.pinned : bench.to.get(0);
    return whole.slice(step.number() * Bench.SLOT, Bench.SLOT);
  }

  private void collective(Step step) {
    Communicator alone = bench.alone();
    Stream stream = stream(step.operand(0));
    long at = step.number() * Bench.SLOT;
    Buffer send = bench.from.get(0).slice(at, Bench.SLOT);
    boolean inPlace = step.words().contains("in-place");
    Buffer receive = inPlace ? send : bench.to.get(0).slice(at, Bench.SLOT);
    switch (step.call()) {
      case "allreduce" -> alone.allReduce(send, receive, ReduceOp.SUM, stream);
      case "allgather" -> alone.allGather(send, receive, stream);
      case "reducescatter" -> alone.reduceScatter(send, receive, ReduceOp.SUM, stream);
      case "broadcast" -> alone.broadcast(send, receive, 0, stream);
      case "reduce" -> alone.reduce(send, receive, ReduceOp.SUM, 0, stream);
      case "alltoall" -> alone.allToAll(send, receive, stream);
      case "send" -> alone.send(send, 0, stream);
      default -> alone.receive(receive, 0, stream);
    }
  }

  /** After everything is done: gives all back. */
  void close() {
    List.copyOf(memory.keySet()).forEach(this::free);
    events.values().forEach(Event::close);
    streams.values().forEach(Stream::close);
  }
}
