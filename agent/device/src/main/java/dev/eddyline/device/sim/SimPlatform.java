package dev.eddyline.device.sim;

import dev.eddyline.device.Collectives;
import dev.eddyline.device.Device;
import dev.eddyline.device.Host;
import dev.eddyline.device.Platform;
import dev.eddyline.device.Store;
import java.util.List;

/** What one rank of a simulated job sees. */
final class SimPlatform implements Platform {
  private final SimProcess process;
  private final SimHost host;
  private final Collectives collectives;
  private final Store store;

  SimPlatform(SimProcess process, Collectives collectives, Store store) {
    this.process = process;
    this.host = new SimHost(process);
    this.collectives = collectives;
    this.store = store;
  }

  @Override
  public int rank() {
    return process.rank;
  }

  @Override
  public int worldSize() {
    return process.world.options.ranks();
  }

  @Override
  public Host host() {
    return host;
  }

  @Override
  public List<Device> devices() {
    return List.copyOf(process.devices);
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
