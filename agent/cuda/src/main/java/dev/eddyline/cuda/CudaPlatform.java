package dev.eddyline.cuda;

import dev.eddyline.device.Collectives;
import dev.eddyline.device.Device;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Host;
import dev.eddyline.device.Platform;
import dev.eddyline.device.Store;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.cuda.global.cudart;

/** What one rank sees of real GPUs. */
final class CudaPlatform implements Platform {
  private final CudaOptions options;
  private final Host host = new CudaHost();
  private final List<Device> devices;
  private final Store store;
  private final Collectives collectives;

  CudaPlatform(CudaOptions options) {
    this.options = options;
    int[] count = new int[1];
    Faults.check(cudart.cudaGetDeviceCount(count), "cudaGetDeviceCount");
    this.devices = open(numbers(options.devices(), count[0]), options.includePaths());
    Store given = options.store();
    this.store = given == null ? new LocalStore() : given;
    this.collectives = new CudaCollectives(this.store, options.launchTimeoutNanos());
  }

  /**
   * CUDA's numbers of the devices to use.
   *
   * @param wanted none for all
   * @param count how many are visible
   */
  static List<Integer> numbers(List<Integer> wanted, int count) {
    if (count == 0) {
      throw new DeviceException(
          Reason.DRIVER, "no CUDA device is visible: look at nvidia-smi and CUDA_VISIBLE_DEVICES");
    }
    List<Integer> numbers = new ArrayList<>(wanted);
    for (int i = 0; wanted.isEmpty() && i < count; i++) {
      numbers.add(i);
    }
    for (int number : numbers) {
      if (number >= count) {
        throw new DeviceException(
            Reason.INVALID_ARGUMENT,
            "device " + number + " is wanted, but only 0 to " + (count - 1) + " are visible");
      }
    }
    return numbers;
  }

  private static List<Device> open(List<Integer> numbers, List<String> includePaths) {
    List<Device> devices = new ArrayList<>();
    for (int i = 0; i < numbers.size(); i++) {
      devices.add(new CudaDevice(i, numbers.get(i), includePaths));
    }
    return List.copyOf(devices);
  }

  @Override
  public int rank() {
    return options.rank();
  }

  @Override
  public int worldSize() {
    return options.worldSize();
  }

  @Override
  public Host host() {
    return host;
  }

  @Override
  public List<Device> devices() {
    return devices;
  }

  @Override
  public Collectives collectives() {
    return collectives;
  }

  @Override
  public Store store() {
    return store;
  }
}
