package dev.eddyline.cuda;

import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Store;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a rank uses CUDA. Immutable; the {@code with…} methods give changed copies.
 *
 * @param rank rank of this program in its job
 * @param worldSize how many ranks the job has
 * @param devices CUDA's numbers of the devices that this rank uses, in order; none for all that are
 *     visible
 * @param store where the ranks meet; null only for a job of one rank
 * @param includePaths folders in which kernels find what they include, for example CUDA's headers
 * @param launchTimeoutNanos how long a communicator may take to enqueue what was called
 */
public record CudaOptions(
    int rank,
    int worldSize,
    List<Integer> devices,
    @Nullable Store store,
    List<String> includePaths,
    long launchTimeoutNanos) {
  private static final long LAUNCH_TIMEOUT = 60_000_000_000L;

  public CudaOptions {
    devices = List.copyOf(devices);
    includePaths = List.copyOf(includePaths);
    if (worldSize < 1 || rank < 0 || rank >= worldSize) {
      throw wrong("rank " + rank + " of a job of " + worldSize + " ranks does not exist");
    }
    if (worldSize > 1 && store == null) {
      throw wrong("a job of " + worldSize + " ranks needs a store in which they meet");
    }
    if (devices.stream().anyMatch(device -> device < 0)
        || devices.stream().distinct().count() < devices.size()) {
      throw wrong("devices " + devices + " must be different numbers from 0");
    }
    if (launchTimeoutNanos < 1) {
      throw wrong("a launch timeout of " + launchTimeoutNanos + " ns leaves no time at all");
    }
  }

  private static DeviceException wrong(String what) {
    return new DeviceException(Reason.INVALID_ARGUMENT, what);
  }

  /** One rank with all visible devices. */
  public static CudaOptions defaults() {
    return new CudaOptions(0, 1, List.of(), null, List.of(), LAUNCH_TIMEOUT);
  }

  /**
   * What launchers set: {@code RANK}, {@code WORLD_SIZE}, and {@code LOCAL_RANK} for the device.
   *
   * @param environment the process's environment
   * @param store where the ranks meet
   */
  public static CudaOptions of(Map<String, String> environment, @Nullable Store store) {
    int rank = number(environment, "RANK", 0);
    int size = number(environment, "WORLD_SIZE", 1);
    int local = number(environment, "LOCAL_RANK", -1);
    List<Integer> devices = local < 0 ? List.of() : List.of(local);
    return new CudaOptions(rank, size, devices, store, List.of(), LAUNCH_TIMEOUT);
  }

  private static int number(Map<String, String> environment, String name, int otherwise) {
    String value = environment.get(name);
    if (value == null || value.isBlank()) {
      return otherwise;
    }
    try {
      return Integer.parseInt(value.strip());
    } catch (NumberFormatException e) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT, name + " is '" + value + "' and should be a number", e);
    }
  }

  /** These options for a rank of a job. */
  public CudaOptions withRank(int newRank, int size, Store meeting) {
    return new CudaOptions(
        newRank, size, devices, Objects.requireNonNull(meeting), includePaths, launchTimeoutNanos);
  }

  /** These options with the devices of these numbers. */
  public CudaOptions withDevices(Integer... numbers) {
    return new CudaOptions(
        rank, worldSize, List.of(numbers), store, includePaths, launchTimeoutNanos);
  }

  /** These options with folders to include from. */
  public CudaOptions withIncludePaths(String... folders) {
    return new CudaOptions(rank, worldSize, devices, store, List.of(folders), launchTimeoutNanos);
  }

  /** These options with another limit for launches. */
  public CudaOptions withLaunchTimeoutNanos(long nanos) {
    return new CudaOptions(rank, worldSize, devices, store, includePaths, nanos);
  }
}
