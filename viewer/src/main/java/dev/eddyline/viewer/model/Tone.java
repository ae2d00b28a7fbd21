package dev.eddyline.viewer.model;

import dev.eddyline.analysis.blame.HostBlock;
import dev.eddyline.analysis.graph.Collectives;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.trace.RecordType.Op;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a slice is, as far as its colour by kind depends on it. */
public enum Tone {
  /** A call, or a host function. */
  CALL,
  /** A call that held the host for GPU work. */
  HELD,
  /** A call that is expected to wait: a device sync at the end. */
  EXPECTED,
  COMPUTE,
  COMMUNICATION,
  COPY;

  private static final List<Tone> ALL = List.of(values());
  private static final Tone[] BY_CODE = values();

  /** The number of it in a lane. */
  int code() {
    return ALL.indexOf(this);
  }

  /** The tone with a number. */
  public static Tone of(int code) {
    return BY_CODE[code];
  }

  static Tone of(@Nullable HostBlock block) {
    if (block == null) {
      return CALL;
    }
    return block.endOfTrace() ? EXPECTED : block.isBlocked() ? HELD : CALL;
  }

  static Tone of(OpView op, Collectives collectives) {
    if (collectives.isCollective(op)) {
      return COMMUNICATION;
    }
    return switch (op.kind()) {
      case Op.KIND_COPY, Op.KIND_FILL -> COPY;
      case Op.KIND_HOST_FUNCTION -> CALL;
      default -> COMPUTE;
    };
  }
}
