package dev.eddyline.analysis.access;

import dev.eddyline.analysis.timeline.AccessView;
import dev.eddyline.trace.RecordType.Access;
import org.jspecify.annotations.Nullable;

/** One access to memory, by an op or by a host thread. */
public final class Touch {
  /** Row of the access. */
  public final int row;

  /** Row of the op, -1 where a host thread did it. */
  public final int op;

  /** The op's stream, -1 where a host thread did it. */
  public final int stream;

  /** The host thread that did it or enqueued the op, -1 if not known. */
  public final int thread;

  /** Row of the call that enqueued the op; for a host thread the first call that began later. */
  public final int call;

  /** First address, and the one after the last. */
  public final long begin;

  public final long end;

  /** One of the {@code KIND_} constants of {@link Access}. */
  public final int kind;

  /** One of the {@code SOURCE_} constants of {@link Access}. */
  public final int source;

  /** One of the {@code CERTAINTY_} constants of {@link Access}. */
  public final int certainty;

  /** One of the {@code MEMORY_} constants of {@code RecordType.Op}, -1 if not known. */
  public final int memory;

  /** The block, as it was handed out then; null if none is known. */
  public final @Nullable Life life;

  private final boolean first;

  /** The last one that it was compared with. */
  @Nullable Touch compared;

  boolean ordered;

  Touch(AccessView view, int op, int call, long begin, long end, @Nullable Life life) {
    this.row = view.row();
    this.op = op;
    this.stream = view.stream();
    this.thread = view.thread();
    this.call = call;
    this.begin = begin;
    this.end = end;
    this.kind = view.kind();
    this.source = view.source();
    this.certainty = view.certainty();
    this.memory = view.memory();
    this.life = life;
    this.first = life != null && life.useFirst();
  }

  /** Whether a host thread did it. */
  public boolean isByHost() {
    return op < 0;
  }

  /** Whether it reads, as far as is known. */
  public boolean reads() {
    return kind != Access.KIND_WRITE;
  }

  /**
   * Whether it writes: where the source cannot tell, what uses a new block first must, for there is
   * nothing to read in it.
   */
  public boolean writes() {
    return kind == Access.KIND_WRITE
        || kind == Access.KIND_READ_WRITE
        || kind == Access.KIND_UNKNOWN && first;
  }

  /** Whether the source tells a read from a write. */
  public boolean isKindKnown() {
    return kind != Access.KIND_UNKNOWN;
  }
}
