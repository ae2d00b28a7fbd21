package dev.eddyline.device.sim;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.Buffer.Kind;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Copies and fills, and which of them hold the host. */
final class Transfers {
  private Transfers() {}

  /**
   * Copies.
   *
   * @param synchronous {@code cudaMemcpy} in place of {@code cudaMemcpyAsync}
   */
  static void copy(
      SimStream stream,
      SimThread thread,
      long start,
      Buffer toBuffer,
      Buffer fromBuffer,
      boolean synchronous) {
    SimBuffer to = SimBuffer.of(toBuffer);
    SimBuffer from = SimBuffer.of(fromBuffer);
    to.checkUsable();
    from.checkUsable();
    long bytes = to.bytes();
    if (from.bytes() < bytes) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT,
          "the target has " + bytes + " bytes, but the source " + from.bytes());
    }
    boolean staged = from.kind() == Kind.PAGEABLE && to.kind() == Kind.DEVICE;
    boolean onDevice = from.kind() == Kind.DEVICE && to.kind() == Kind.DEVICE;
    boolean blocks = synchronous ? !onDevice : to.kind() == Kind.PAGEABLE;
    Api api = synchronous ? Api.COPY : Api.COPY_ASYNC;
    boolean stages = staged && !synchronous;
    if (stages) {
      stream.device.lock.pass(thread, DriverLock.Use.ENQUEUE, api);
      stream.awaitStaging(thread, bytes);
    }
    Recorder recorder = stream.device.process.recorder;
    OpWork work =
        new OpWork(
            recorder.name(name(from.kind(), to.kind())),
            Costs.COPY + (staged ? Costs.moving(bytes, Costs.PAGEABLE_RATE) : 0),
            Costs.COPY_START + Costs.moving(bytes, rate(from.kind(), to.kind())),
            engine(from.kind(), to.kind()),
            OpFacts.copy(
                bytes, MemoryRecorder.memory(from.kind()), MemoryRecorder.memory(to.kind())),
            Accesses.copy(to, from),
            staged ? stagedBody(stream, thread, to, from, bytes) : body(to, from, bytes),
            blocks);
    Item item = stream.launch(thread, api, Item.Kind.COPY, start, work);
    if (stages) {
      stream.stage(item);
    }
  }

  /** Pageable sources are read before the call returns. */
  private static Runnable stagedBody(
      SimStream stream, SimThread thread, SimBuffer to, SimBuffer from, long bytes) {
    if (from.block.pending > 0) {
      stream.world.see(thread);
    }
    ByteBuffer staged = ByteBuffer.allocate(Math.toIntExact(bytes)).order(ByteOrder.nativeOrder());
    staged.put(0, from.data(), 0, (int) bytes);
    return () -> to.data().put(0, staged, 0, (int) bytes);
  }

  private static Runnable body(SimBuffer to, SimBuffer from, long bytes) {
    to.block.pending++;
    from.block.pending++;
    return () -> {
      to.block.pending--;
      from.block.pending--;
      if (to.block.isTouched() || from.block.isTouched()) {
        to.data().put(0, from.data(), 0, (int) bytes);
      }
    };
  }

  private static int engine(Kind from, Kind to) {
    if (to != Kind.DEVICE) {
      return CopyEngines.TO_HOST;
    }
    return from == Kind.DEVICE ? CopyEngines.ON_DEVICE : CopyEngines.TO_DEVICE;
  }

  private static long rate(Kind from, Kind to) {
    if (from == Kind.DEVICE && to == Kind.DEVICE) {
      return Costs.DEVICE_RATE;
    }
    return from == Kind.PAGEABLE || to == Kind.PAGEABLE ? Costs.PAGEABLE_RATE : Costs.PINNED_RATE;
  }

  private static String name(Kind from, Kind to) {
    return "Memcpy "
        + (from == Kind.DEVICE ? "D" : "H")
        + "to"
        + (to == Kind.DEVICE ? "D" : "H")
        + " ("
        + word(from)
        + " -> "
        + word(to)
        + ")";
  }

  private static String word(Kind kind) {
    return switch (kind) {
      case DEVICE -> "Device";
      case PINNED -> "Pinned";
      case PAGEABLE -> "Pageable";
    };
  }

  /**
   * Fills.
   *
   * @param synchronous {@code cudaMemset} in place of {@code cudaMemsetAsync}
   */
  static void fill(
      SimStream stream,
      SimThread thread,
      long start,
      Buffer buffer,
      int value,
      boolean synchronous) {
    SimBuffer target = SimBuffer.of(buffer);
    target.checkUsable();
    if (target.kind() == Kind.PAGEABLE) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT, "a fill needs device or pinned memory, not pageable");
    }
    target.block.pending++;
    long bytes = target.bytes();
    OpWork work =
        new OpWork(
            stream.device.process.recorder.name(
                target.kind() == Kind.DEVICE ? "Memset (Device)" : "Memset (Pinned)"),
            Costs.FILL,
            Costs.COPY_START + Costs.moving(bytes, Costs.DEVICE_RATE),
            stream.device.processors.demand(Math.max(1, bytes >> 16), 256),
            OpFacts.fill(bytes, MemoryRecorder.memory(target.kind())),
            Accesses.fill(target),
            () -> fillNow(target, value),
            synchronous && target.kind() == Kind.PINNED);
    stream.launch(thread, synchronous ? Api.FILL : Api.FILL_ASYNC, Item.Kind.FILL, start, work);
  }

  private static void fillNow(SimBuffer target, int value) {
    target.block.pending--;
    if (value == 0 && !target.block.isTouched()) {
      return;
    }
    ByteBuffer data = target.data();
    while (data.hasRemaining()) {
      data.put((byte) value);
    }
  }
}
