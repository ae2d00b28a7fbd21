package dev.eddyline.device;

/** How long a kernel takes on the simulated device when it has it for itself. */
@FunctionalInterface
public interface KernelCost {
  /** Nanoseconds, at least 1. */
  long nanos(KernelArguments arguments);

  /** Always the same. */
  static KernelCost fixed(long nanos) {
    return arguments -> nanos;
  }

  /** A little, and what moving all its buffers once takes at 2 TB/s. */
  static KernelCost byBytes() {
    return arguments -> {
      long bytes = 0;
      for (int i = 0; i < arguments.size(); i++) {
        bytes += arguments.isBuffer(i) ? arguments.buffer(i).bytes() : 0;
      }
      return 2_000 + bytes / 2_000;
    };
  }
}
