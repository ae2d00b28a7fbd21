package dev.eddyline.device;

/** What a kernel computes, in Java; for the simulated device. It must not call this API. */
@FunctionalInterface
public interface KernelBody {
  /** Runs the whole grid. */
  void run(KernelArguments arguments);
}
