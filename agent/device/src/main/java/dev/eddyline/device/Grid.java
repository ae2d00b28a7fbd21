package dev.eddyline.device;

/**
 * How many threads a kernel is launched with.
 *
 * @param blocksX blocks in x
 * @param blocksY blocks in y
 * @param blocksZ blocks in z
 * @param threadsX threads of a block in x
 * @param threadsY threads of a block in y
 * @param threadsZ threads of a block in z
 * @param sharedBytes dynamic shared memory of a block
 */
public record Grid(
    int blocksX,
    int blocksY,
    int blocksZ,
    int threadsX,
    int threadsY,
    int threadsZ,
    int sharedBytes) {
  private static final int COMMON_THREADS = 256;

  public Grid {
    if (Math.min(Math.min(blocksX, blocksY), blocksZ) < 1
        || Math.min(Math.min(threadsX, threadsY), threadsZ) < 1
        || sharedBytes < 0) {
      throw new IllegalArgumentException("a grid needs at least one block of one thread");
    }
  }

  /** A grid in one dimension. */
  public static Grid of(int blocks, int threads) {
    return new Grid(blocks, 1, 1, threads, 1, 1, 0);
  }

  /** A thread for each of so many elements, in blocks of 256. */
  public static Grid covering(long elements) {
    long blocks = Math.max(1, (elements + COMMON_THREADS - 1) / COMMON_THREADS);
    return of(Math.toIntExact(blocks), COMMON_THREADS);
  }

  /** Blocks of the whole grid. */
  public long blocks() {
    return (long) blocksX * blocksY * blocksZ;
  }

  /** Threads of one block. */
  public int threads() {
    return threadsX * threadsY * threadsZ;
  }
}
