package dev.eddyline.device.sim;

import dev.eddyline.device.Kernel;
import dev.eddyline.trace.RecordType.Access;
import java.util.ArrayList;
import java.util.List;

/** What an op reads and writes. */
final class Accesses {
  static final Accesses NONE = new Accesses();

  /**
   * One range.
   *
   * @param kind one of the {@code KIND_} constants of {@link Access}
   * @param source one of its {@code SOURCE_} constants
   * @param certainty one of its {@code CERTAINTY_} constants
   */
  record Range(SimBuffer buffer, int kind, int source, int certainty) {}

  final List<Range> ranges = new ArrayList<>(4);

  private Accesses() {}

  private Accesses add(SimBuffer buffer, int kind, int source, int certainty) {
    ranges.add(new Range(buffer, kind, source, certainty));
    return this;
  }

  static Accesses copy(SimBuffer to, SimBuffer from) {
    Accesses made = new Accesses();
    SimBuffer source = from.bytes() == to.bytes() ? from : from.first(to.bytes());
    made.add(source, Access.KIND_READ, Access.SOURCE_COPY, Access.CERTAINTY_EXACT);
    return made.add(to, Access.KIND_WRITE, Access.SOURCE_COPY, Access.CERTAINTY_EXACT);
  }

  static Accesses fill(SimBuffer to) {
    return new Accesses().add(to, Access.KIND_WRITE, Access.SOURCE_COPY, Access.CERTAINTY_EXACT);
  }

  /** What one rank's part of a collective does. */
  static Accesses collective(CollectiveCall call) {
    Accesses made = new Accesses();
    SimBuffer send = call.send;
    SimBuffer receive = call.receive;
    int certainty = Access.CERTAINTY_EXACT;
    if (send != null && receive != null && send.address() == receive.address()) {
      SimBuffer both = send.bytes() > receive.bytes() ? send : receive;
      return made.add(both, Access.KIND_READ_WRITE, Access.SOURCE_GROUP, certainty);
    }
    if (send != null) {
      made.add(send, Access.KIND_READ, Access.SOURCE_GROUP, certainty);
    }
    if (receive != null) {
      made.add(receive, Access.KIND_WRITE, Access.SOURCE_GROUP, certainty);
    }
    return made;
  }

  /** What a kernel declares; of one that declares nothing, any use of all its buffers. */
  static Accesses kernel(Kernel kernel, SimArguments arguments) {
    int[] reads = kernel.reads();
    int[] writes = kernel.writes();
    Accesses made = new Accesses();
    for (int i = 0; i < arguments.size(); i++) {
      if (!arguments.isBuffer(i)) {
        continue;
      }
      SimBuffer buffer = (SimBuffer) arguments.buffer(i);
      if (reads == null && writes == null) {
        made.add(
            buffer, Access.KIND_UNKNOWN, Access.SOURCE_LAUNCH_PARAMETER, Access.CERTAINTY_WITHIN);
        continue;
      }
      boolean read = contains(reads, i);
      boolean written = contains(writes, i);
      if (read || written) {
        int one = read ? Access.KIND_READ : Access.KIND_WRITE;
        int kind = read && written ? Access.KIND_READ_WRITE : one;
        made.add(buffer, kind, Access.SOURCE_KERNEL, Access.CERTAINTY_EXACT);
      }
    }
    return made.ranges.isEmpty() ? NONE : made;
  }

  private static boolean contains(int @org.jspecify.annotations.Nullable [] indices, int index) {
    if (indices != null) {
      for (int i : indices) {
        if (i == index) {
          return true;
        }
      }
    }
    return false;
  }
}
