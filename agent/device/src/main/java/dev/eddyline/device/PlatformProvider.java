package dev.eddyline.device;

import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * A kind of real device that a program finds by name, through {@link ServiceLoader}: "cuda" where
 * {@code eddyline-cuda} is on the class path. So a program needs no binding of CUDA to be compiled,
 * nor to run on the simulated device.
 */
public interface PlatformProvider {
  /** What it is called on command lines and in messages: "cuda". */
  String name();

  /** Why there is no such device here, in one line; empty if there is one. Loads its libraries. */
  Optional<String> unavailable();

  /**
   * How many devices are visible.
   *
   * @throws DeviceException if it is unavailable
   */
  int count();

  /**
   * Opens devices for one rank; ranks are processes, or threads of one JVM that call this once
   * each.
   *
   * @param rank rank of the caller in its job
   * @param worldSize how many ranks the job has
   * @param store where the ranks meet; null only for a job of one rank
   * @param devices numbers of the devices that this rank uses; none for all
   * @throws DeviceException if it is unavailable, or if an argument does not fit the machine
   */
  Platform open(int rank, int worldSize, @Nullable Store store, List<Integer> devices);

  /** The provider of a name, if it is on the class path. */
  static Optional<PlatformProvider> named(String name) {
    for (PlatformProvider provider : ServiceLoader.load(PlatformProvider.class)) {
      if (provider.name().equals(name)) {
        return Optional.of(provider);
      }
    }
    return Optional.empty();
  }
}
