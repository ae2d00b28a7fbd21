package dev.eddyline.analysis.access;

import dev.eddyline.analysis.timeline.AllocationView;
import dev.eddyline.trace.RecordType.Allocation;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of one process at a moment: those of CUDA and the host, and above them those that a
 * caching allocator cut from them. A freed block stays until its memory is handed out again.
 */
final class Lives {
  private final TreeMap<Long, Life> base = new TreeMap<>();
  private final TreeMap<Long, Life> cut = new TreeMap<>();

  private static boolean isCut(int allocator) {
    return allocator == Allocation.ALLOCATOR_CACHING;
  }

  /** The innermost block that an address lies in, freed or not; null if none is known. */
  @Nullable Life at(long address) {
    Life inner = at(cut, address);
    Life outer = at(base, address);
    if (inner == null) {
      return outer;
    }
    return outer != null && outer.freed() < 0 && inner.freed() >= 0 && !covers(outer, inner)
        ? outer
        : inner;
  }

  private static boolean covers(Life outer, Life inner) {
    return outer.begin <= inner.begin && inner.end <= outer.end;
  }

  private static @Nullable Life at(TreeMap<Long, Life> lives, long address) {
    Map.Entry<Long, Life> entry = lives.floorEntry(address);
    return entry != null && address < entry.getValue().end ? entry.getValue() : null;
  }

  /** Memory is handed out; the row under the cursor. */
  Life allocate(AllocationView row) {
    long begin = row.begin();
    long end = begin + Math.max(1, row.bytes());
    boolean isCut = isCut(row.allocator());
    TreeMap<Long, Life> lives = isCut ? cut : base;
    clear(lives, begin, end);
    if (!isCut) {
      clear(cut, begin, end);
    }
    Life life = new Life(row.row(), begin, end, row.allocator(), row.memory(), row.stream());
    lives.put(begin, life);
    return life;
  }

  private static void clear(TreeMap<Long, Life> lives, long begin, long end) {
    Map.Entry<Long, Life> before = lives.lowerEntry(begin);
    if (before != null && before.getValue().end > begin) {
      lives.remove(before.getKey());
    }
    lives.subMap(begin, end).clear();
  }

  /** Memory is given back; the block, or null if it is not known. */
  @Nullable Life free(AllocationView row) {
    TreeMap<Long, Life> lives = isCut(row.allocator()) ? cut : base;
    Life life = lives.get(row.begin());
    if (life != null && life.freed() < 0) {
      life.free(row.row());
      return life;
    }
    return null;
  }

  /** The block of a caching allocator that begins at an address. */
  @Nullable Life cutAt(long address) {
    return cut.get(address);
  }
}
