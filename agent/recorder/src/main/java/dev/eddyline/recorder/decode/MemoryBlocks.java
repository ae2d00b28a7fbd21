package dev.eddyline.recorder.decode;

import dev.eddyline.recorder.rows.LongIntMap;
import dev.eddyline.recorder.shim.Shim;
import java.util.Map;
import java.util.TreeMap;

/**
 * Blocks of memory that CUDA knows, from records of allocations and, where those were not seen (a
 * late attach, a record that is still to come), from the driver. For the thread that drains.
 */
public final class MemoryBlocks {
  private static final int REMEMBERED = 1 << 20;
  private static final int PAGE_BITS = 16;
  private static final long LEAST = 1L << 32;
  private static final long MOST = 1L << 48;
  private final TreeMap<Long, Long> sizes = new TreeMap<>();
  private final LongIntMap unknownPages = new LongIntMap();
  private final long[] range = new long[2];

  void add(long address, long bytes) {
    if (sizes.size() < REMEMBERED) {
      sizes.put(address, Math.max(1, bytes));
    }
    if (unknownPages.size() > 0) {
      unknownPages.clear();
    }
  }

  void free(long address) {
    sizes.remove(address);
  }

  /** Whether a word is the address of something within a block. */
  public boolean isAddress(long word) {
    if (word < LEAST || word >= MOST) {
      return false;
    }
    return isWithin(word) || asked(word);
  }

  private boolean isWithin(long word) {
    Map.Entry<Long, Long> block = sizes.floorEntry(word);
    return block != null && word - block.getKey() < block.getValue();
  }

  private boolean asked(long word) {
    long page = word >>> PAGE_BITS;
    if (unknownPages.get(page) != LongIntMap.ABSENT) {
      return false;
    }
    if (Shim.addressRange(word, range) && range[1] > 0) {
      sizes.put(range[0], range[1]);
      return word - range[0] < range[1];
    }
    if (unknownPages.size() >= REMEMBERED) {
      unknownPages.clear();
    }
    unknownPages.put(page, 1);
    return false;
  }
}
