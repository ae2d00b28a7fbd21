package dev.eddyline.device;

import dev.eddyline.marks.Marks;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps freed memory for the next user, as PyTorch's allocator does. A block belongs to the stream
 * that it was allocated for: once freed it is handed out again for that stream at once, because
 * work of that stream comes later anyway. Whoever used it on another stream says so by {@link
 * #recordStream}; then it is kept back until that stream has done what was enqueued at the free.
 * Without that the next user may overwrite what the other stream still reads.
 *
 * <p>For any number of threads; no lock is held across calls of the device.
 */
public final class CachingAllocator {
  private static final long ALIGNMENT = 512;
  private final Device device;
  private final Map<Stream, TreeMap<Long, ArrayDeque<Block>>> free = new HashMap<>();
  private final Map<Long, Block> live = new HashMap<>();
  private final List<Block> keptBack = new ArrayList<>();
  private long reserved;
  private long allocated;

  private static final class Block {
    private final Buffer memory;
    private final Stream owner;
    private final Set<Stream> users = new LinkedHashSet<>();
    private List<Event> until = List.of();

    Block(Buffer memory, Stream owner) {
      this.memory = memory;
      this.owner = owner;
    }
  }

  public CachingAllocator(Device device) {
    this.device = device;
  }

  /**
   * Memory for work of a stream; content undefined.
   *
   * @throws DeviceException {@link DeviceException.Reason#OUT_OF_MEMORY} if there is none even
   *     after all that is kept was given back to the device
   */
  public Buffer allocate(DataType type, long count, Stream stream) {
    long bytes = Math.max(1, Math.multiplyExact(count, type.bytes()));
    long rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    releaseFinished();
    Block block = takeFree(stream, rounded);
    if (block == null) {
      block = new Block(newMemory(rounded), stream);
      synchronized (this) {
        reserved += rounded;
      }
    }
    synchronized (this) {
      live.put(block.memory.address(), block);
      allocated += block.memory.bytes();
    }
    Marks.allocated(
        device.ordinal(),
        stream.handle(),
        Marks.DEVICE,
        block.memory.address(),
        block.memory.bytes(),
        "");
    return block.memory.slice(0, count * type.bytes()).as(type);
  }

  private Buffer newMemory(long bytes) {
    try {
      return device.allocate(DataType.INT8, bytes);
    } catch (DeviceException e) {
      if (e.reason() != DeviceException.Reason.OUT_OF_MEMORY) {
        throw e;
      }
      emptyCache();
      return device.allocate(DataType.INT8, bytes);
    }
  }

  private synchronized @Nullable Block takeFree(Stream stream, long bytes) {
    TreeMap<Long, ArrayDeque<Block>> sizes = free.get(stream);
    Map.Entry<Long, ArrayDeque<Block>> entry = sizes == null ? null : sizes.ceilingEntry(bytes);
    if (sizes == null || entry == null || entry.getKey() > 2 * bytes) {
      return null;
    }
    Block block = entry.getValue().pollLast();
    if (entry.getValue().isEmpty()) {
      sizes.remove(entry.getKey());
    }
    return block;
  }

  /** A buffer is used on a stream that is not its own: keep it until that work is done. */
  public synchronized void recordStream(Buffer buffer, Stream stream) {
    Block block = known(buffer);
    if (block.owner != stream && block.users.add(stream)) {
      Marks.usedOn(device.ordinal(), stream.handle(), block.memory.address());
    }
  }

  private Block known(Buffer buffer) {
    Block block = live.get(buffer.address());
    if (block == null) {
      throw new DeviceException(
          DeviceException.Reason.INVALID_ARGUMENT,
          "this buffer is not one that the allocator handed out, or it was freed");
    }
    return block;
  }

  /** The program needs a buffer no more; never blocks. */
  public void free(Buffer buffer) {
    Block block;
    synchronized (this) {
      block = known(buffer);
      live.remove(buffer.address());
      allocated -= block.memory.bytes();
      Marks.freed(device.ordinal(), block.owner.handle(), block.memory.address());
      if (block.users.isEmpty()) {
        putFree(block);
        return;
      }
    }
    List<Event> events = new ArrayList<>();
    for (Stream user : block.users) {
      Event event = device.createEvent();
      user.record(event);
      events.add(event);
    }
    block.users.clear();
    block.until = events;
    synchronized (this) {
      keptBack.add(block);
    }
  }

  private void putFree(Block block) {
    free.computeIfAbsent(block.owner, stream -> new TreeMap<>())
        .computeIfAbsent(block.memory.bytes(), size -> new ArrayDeque<>())
        .addLast(block);
  }

  /** Lets go what other streams have done with. */
  private void releaseFinished() {
    List<Block> taken;
    synchronized (this) {
      if (keptBack.isEmpty()) {
        return;
      }
      // Taken out before the events are asked: two threads must not close the same ones.
      taken = new ArrayList<>(keptBack);
      keptBack.clear();
    }
    for (Block block : taken) {
      boolean done = block.until.stream().allMatch(Event::isDone);
      if (done) {
        block.until.forEach(Event::close);
        block.until = List.of();
      }
      synchronized (this) {
        if (done) {
          Marks.released(device.ordinal(), block.memory.address());
          putFree(block);
        } else {
          keptBack.add(block);
        }
      }
    }
  }

  /** Gives all that is kept back to the device; blocks, because freeing does. */
  public void emptyCache() {
    releaseFinished();
    List<Block> given = new ArrayList<>();
    synchronized (this) {
      free.values().forEach(sizes -> sizes.values().forEach(given::addAll));
      free.clear();
      given.forEach(block -> reserved -= block.memory.bytes());
    }
    given.forEach(block -> device.free(block.memory));
  }

  /** Bytes that the program holds. */
  public synchronized long allocatedBytes() {
    return allocated;
  }

  /** Bytes that the allocator has from the device. */
  public synchronized long reservedBytes() {
    return reserved;
  }
}
