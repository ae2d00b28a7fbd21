package dev.eddyline.cuda;

import dev.eddyline.device.DeviceException;
import dev.eddyline.device.Platform;
import java.util.Optional;
import org.bytedeco.cuda.global.cudart;

/** Where programs get a {@link Platform} on real GPUs. */
public final class Cuda {
  private Cuda() {}

  /**
   * Opens the devices of a rank. Ranks may be processes, or threads of one JVM that call this once
   * each.
   *
   * @throws DeviceException without a GPU or its libraries, in one line that names every place that
   *     was looked into; or if an option does not fit the machine
   */
  public static Platform open(CudaOptions options) {
    Libraries.loadCuda();
    MemoryLimit.adviseOnce();
    return new CudaPlatform(options);
  }

  /** Opens all visible devices for a job of one rank. */
  public static Platform open() {
    return open(CudaOptions.defaults());
  }

  /** Why there is no CUDA device here, in one line; empty if there is one. */
  public static Optional<String> unavailable() {
    try {
      return count() > 0 ? Optional.empty() : Optional.of("no CUDA device is visible");
    } catch (DeviceException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /**
   * How many CUDA devices are visible.
   *
   * @throws DeviceException without CUDA's libraries or a driver
   */
  public static int count() {
    Libraries.loadCuda();
    int[] count = new int[1];
    Faults.check(cudart.cudaGetDeviceCount(count), "cudaGetDeviceCount");
    return count[0];
  }

  /** Versions of the driver and the runtime as CUDA numbers them, for example "13000, 13000". */
  public static String versions() {
    Libraries.loadCuda();
    int[] driver = new int[1];
    int[] runtime = new int[1];
    Faults.check(cudart.cudaDriverGetVersion(driver), "cudaDriverGetVersion");
    Faults.check(cudart.cudaRuntimeGetVersion(runtime), "cudaRuntimeGetVersion");
    return driver[0] + ", " + runtime[0];
  }

  /** Version of the collective library as it numbers it, for example 22803. */
  public static int ncclVersion() {
    Libraries.loadNccl();
    int[] version = new int[1];
    NcclFaults.check(org.bytedeco.cuda.global.nccl.ncclGetVersion(version), "ncclGetVersion");
    return version[0];
  }
}
