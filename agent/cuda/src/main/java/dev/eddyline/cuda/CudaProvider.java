package dev.eddyline.cuda;

import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Platform;
import dev.eddyline.device.PlatformProvider;
import dev.eddyline.device.Store;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** CUDA under its name, for programs that are compiled without it. */
public final class CudaProvider implements PlatformProvider {
  /** For {@link java.util.ServiceLoader}. */
  public CudaProvider() {}

  @Override
  public String name() {
    return "cuda";
  }

  @Override
  public Optional<String> unavailable() {
    return Cuda.unavailable();
  }

  @Override
  public int count() {
    return Cuda.count();
  }

  @Override
  public Platform open(int rank, int worldSize, @Nullable Store store, List<Integer> devices) {
    CudaOptions options = CudaOptions.defaults().withDevices(devices.toArray(Integer[]::new));
    if (store != null) {
      return Cuda.open(options.withRank(rank, worldSize, store));
    }
    if (worldSize != 1) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT,
          "a job of " + worldSize + " ranks needs a store in which they meet");
    }
    return Cuda.open(options);
  }
}
