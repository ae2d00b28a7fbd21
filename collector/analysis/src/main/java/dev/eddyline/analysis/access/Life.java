package dev.eddyline.analysis.access;

/** A block of memory from when it was handed out until it is handed out again. */
public final class Life {
  static final int NONE = -1;

  /** Row of what handed it out. */
  public final int allocated;

  /** First address, and the one after the last. */
  public final long begin;

  public final long end;

  /** One of the {@code ALLOCATOR_} constants of {@code RecordType.Allocation}. */
  public final int allocator;

  /** One of the {@code MEMORY_} constants of {@code RecordType.Op}, -1 if not known. */
  public final int memory;

  /** The stream for which it was handed out, -1 for none. */
  public final int owner;

  private int freed = NONE;
  private boolean used;

  Life(int allocated, long begin, long end, int allocator, int memory, int owner) {
    this.allocated = allocated;
    this.begin = begin;
    this.end = end;
    this.allocator = allocator;
    this.memory = memory;
    this.owner = owner;
  }

  /** Row of what gave it back, -1 while it is in use. */
  public int freed() {
    return freed;
  }

  void free(int row) {
    freed = row;
  }

  /** Whether something accessed it before; from now on something has. */
  boolean useFirst() {
    boolean first = !used;
    used = true;
    return first;
  }
}
