package dev.eddyline.junit;

import dev.eddyline.device.Collectives;
import dev.eddyline.device.Device;
import dev.eddyline.device.Host;
import dev.eddyline.device.Platform;
import dev.eddyline.device.Store;
import java.util.List;

/** Stands for the platform of whichever rank calls. */
final class CurrentPlatform implements Platform {
  private final Streams streams;

  CurrentPlatform(Streams streams) {
    this.streams = streams;
  }

  @Override
  public int rank() {
    return streams.platform().rank();
  }

  @Override
  public int worldSize() {
    return streams.platform().worldSize();
  }

  @Override
  public Host host() {
    return streams.platform().host();
  }

  @Override
  public List<Device> devices() {
    return streams.platform().devices();
  }

  @Override
  public Collectives collectives() {
    return streams.platform().collectives();
  }

  @Override
  public Store store() {
    return streams.platform().store();
  }
}
