package dev.eddyline.device.sim;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.Buffer.Kind;
import dev.eddyline.device.DataType;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.trace.RecordType.Allocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Memory of a device: plain allocations, and the stream-ordered pool with CUDA's policies of reuse.
 * A block that was freed in the order of a stream is used again: on that stream at once; on another
 * one when the free has been carried out; and where memory is short, by making the new user wait
 * for the free.
 */
final class Memory {
  private static final long ALIGNMENT = 512;
  private static final long DEVICE_BASE = 0x7f00_0000_0000L;
  private static final long DEVICE_SPACE = 0x100_0000_0000L;
  private static final long HOST_BASE = 0x5500_0000_0000L;
  private static final double GIB = 1L << 30;

  private final SimDevice device;
  private final World world;
  private final long capacity;
  private final List<Block> freeBlocks = new ArrayList<>();
  private long nextAddress;
  private long nextHostAddress = HOST_BASE;
  private long plain;
  private long pool;

  Memory(SimDevice device, long capacity) {
    this.device = device;
    this.world = device.process.world;
    this.capacity = capacity;
    this.nextAddress = DEVICE_BASE + device.ordinal() * DEVICE_SPACE;
  }

  long free() {
    return capacity - plain - pool;
  }

  private static long rounded(DataType type, long count) {
    if (count < 0) {
      throw new DeviceException(Reason.INVALID_ARGUMENT, "a buffer of " + count + " elements");
    }
    long bytes = Math.max(1, Math.multiplyExact(count, type.bytes()));
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  private Block take(long bytes, boolean pooled) {
    if (bytes > free()) {
      throw new DeviceException(
          Reason.OUT_OF_MEMORY,
          String.format(
              Locale.ROOT,
              "out of memory on device %d: %.3f GiB asked for, %.3f of %.3f GiB in use"
                  + " (%.3f allocated plainly, %.3f held by the stream-ordered pool, of which %.3f"
                  + " are free but not usable here yet); free buffers, or make them smaller",
              device.ordinal(),
              bytes / GIB,
              (plain + pool) / GIB,
              capacity / GIB,
              plain / GIB,
              pool / GIB,
              freeBlocks.stream().mapToLong(block -> block.bytes).sum() / GIB));
    }
    Block block = new Block(nextAddress, bytes, pooled);
    nextAddress += bytes;
    return block;
  }

  // ---- plain ----

  Buffer allocate(SimThread thread, DataType type, long count) {
    long start = thread.now;
    long bytes = rounded(type, count);
    device.lock.pass(thread, DriverLock.Use.ALLOCATE, Api.MALLOC);
    trim(bytes);
    thread.spend(Costs.ALLOCATE + (long) (bytes / GIB * Costs.ALLOCATE_GIB));
    Block block = take(bytes, false);
    plain += bytes;
    device.called(thread, start, Api.MALLOC);
    SimBuffer made = new SimBuffer(device, Kind.DEVICE, block, 0, type, count);
    note(thread, start, Allocation.KIND_ALLOCATE, null, made);
    return made;
  }

  /** Gives free blocks of the pool back where a plain allocation needs the room. */
  private void trim(long bytes) {
    for (int i = freeBlocks.size() - 1; i >= 0 && bytes > free(); i--) {
      Block block = freeBlocks.get(i);
      if (block.freedBy == null || block.freedBy.done) {
        freeBlocks.remove(i);
        pool -= block.bytes;
      }
    }
  }

  void free(SimThread thread, SimBuffer buffer) {
    long start = thread.now;
    checkFreeable(buffer);
    thread.spend(Costs.FREE);
    boolean blocked = false;
    if (buffer.block.pooled) {
      buffer.block.freed = true;
      freeBlocks.add(buffer.block);
    } else {
      blocked = device.drainToFree(thread, Api.FREE);
      buffer.block.freed = true;
      plain -= buffer.block.bytes;
    }
    device.called(thread, start, Api.FREE);
    note(thread, start, Allocation.KIND_FREE, null, buffer);
    if (blocked) {
      device.process.recorder.stack(thread, start, thread.now);
    }
  }

  private static void checkFreeable(SimBuffer buffer) {
    if (buffer.block.freed || !buffer.isWhole()) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT,
          buffer.block.freed ? "the buffer was freed before" : "a slice cannot be freed");
    }
  }

  // ---- host ----

  SimBuffer allocatePinned(SimThread thread, DataType type, long count) {
    long start = thread.now;
    thread.spend(Costs.PIN);
    device.called(thread, start, Api.MALLOC_HOST);
    SimBuffer made = host(Kind.PINNED, type, count);
    note(thread, start, Allocation.KIND_ALLOCATE, null, made);
    return made;
  }

  SimBuffer allocatePageable(DataType type, long count) {
    SimBuffer made = host(Kind.PAGEABLE, type, count);
    notePageable(Allocation.KIND_ALLOCATE, made);
    return made;
  }

  /** The host's own allocator has the memory again at once, whatever still reads it. */
  void freePageable(SimBuffer buffer) {
    checkFreeable(buffer);
    buffer.block.freed = true;
    notePageable(Allocation.KIND_FREE, buffer);
  }

  private void notePageable(int kind, SimBuffer buffer) {
    SimThread thread = SimThread.currentOrNull();
    if (thread != null) {
      device.process.recorder.memory.allocation(
          thread, thread.now, kind, Allocation.ALLOCATOR_HOST, null, -1, buffer);
    }
  }

  /** Writes what the last call did. */
  private void note(
      SimThread thread, long start, int kind, @Nullable SimStream stream, SimBuffer buffer) {
    int allocator = buffer.block.pooled ? Allocation.ALLOCATOR_POOL : Allocation.ALLOCATOR_DEVICE;
    device.process.recorder.memory.allocation(
        thread,
        start,
        kind,
        buffer.kind() == Kind.PINNED ? Allocation.ALLOCATOR_PINNED : allocator,
        stream,
        device.process.lastCorrelation(),
        buffer);
  }

  private SimBuffer host(Kind kind, DataType type, long count) {
    long bytes = rounded(type, count);
    Block block = new Block(nextHostAddress, bytes, false);
    nextHostAddress += bytes;
    return new SimBuffer(device, kind, block, 0, type, count);
  }

  void freePinned(SimThread thread, SimBuffer buffer) {
    long start = thread.now;
    checkFreeable(buffer);
    thread.spend(Costs.FREE);
    boolean blocked = device.drainToFree(thread, Api.FREE_HOST);
    buffer.block.freed = true;
    device.called(thread, start, Api.FREE_HOST);
    note(thread, start, Allocation.KIND_FREE, null, buffer);
    if (blocked) {
      device.process.recorder.stack(thread, start, thread.now);
    }
  }

  // ---- in stream order ----

  Buffer allocateInOrder(SimStream stream, SimThread thread, DataType type, long count) {
    long start = thread.now;
    thread.spend(Costs.POOL);
    long bytes = rounded(type, count);
    Item item = new Item(stream, Item.Kind.ALLOC, thread.now);
    Block block = reuse(stream, thread, bytes);
    if (block == null) {
      block = another(bytes);
    }
    freeBlocks.remove(block);
    item.after(block.freedBy);
    block.freedBy = null;
    block.freed = false;
    stream.enqueue(item);
    device.called(thread, start, Api.MALLOC_ASYNC);
    SimBuffer made = new SimBuffer(device, Kind.DEVICE, block, 0, type, count);
    note(thread, start, Allocation.KIND_ALLOCATE, stream, made);
    return made;
  }

  /** A new block; where memory is short, one whose free is still to come. */
  private Block another(long bytes) {
    if (bytes > free()) {
      Block later = find(bytes, block -> true);
      if (later != null) {
        return later;
      }
      trim(bytes);
    }
    Block block = take(bytes, true);
    pool += bytes;
    return block;
  }

  private @Nullable Block reuse(SimStream stream, SimThread thread, long bytes) {
    if (freeBlocks.isEmpty()) {
      return null;
    }
    Block same = find(bytes, block -> block.freedBy != null && block.freedBy.stream == stream);
    if (same != null && !world.schedule.otherWay()) {
      return same;
    }
    world.see(thread);
    Block done = find(bytes, block -> block.freedBy == null || block.freedBy.done);
    if (done != null) {
      return done;
    }
    return world.schedule.otherWay() ? find(bytes, block -> true) : same;
  }

  /** The smallest free block that is large enough and not more than twice as large. */
  private @Nullable Block find(long bytes, java.util.function.Predicate<Block> usable) {
    Block best = null;
    for (Block block : freeBlocks) {
      boolean fits = block.bytes >= bytes && block.bytes <= 2 * bytes;
      if (fits && (best == null || block.bytes < best.bytes) && usable.test(block)) {
        best = block;
      }
    }
    return best;
  }

  void freeInOrder(SimStream stream, SimThread thread, Buffer buffer) {
    SimBuffer sim = SimBuffer.of(buffer);
    long start = thread.now;
    checkFreeable(sim);
    if (!sim.block.pooled) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT,
          "memory of Device.allocate is freed by Device.free: the simulated device has no other"
              + " way");
    }
    thread.spend(Costs.POOL);
    Item item = new Item(stream, Item.Kind.FREE, thread.now);
    sim.block.freed = true;
    sim.block.freedBy = item;
    freeBlocks.add(sim.block);
    stream.enqueue(item);
    device.called(thread, start, Api.FREE_ASYNC);
    note(thread, start, Allocation.KIND_FREE, stream, sim);
  }
}
