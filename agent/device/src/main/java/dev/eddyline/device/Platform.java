package dev.eddyline.device;

import java.util.List;

/** All that the program of one rank sees: its host, its devices, its collectives. */
public interface Platform {
  /** Rank of this program in its job, from 0. */
  int rank();

  /** How many ranks the job has. */
  int worldSize();

  /** Time and threads of the host. */
  Host host();

  /** The devices that this rank may use, by their ordinals; at least one. */
  List<Device> devices();

  /** The first device. */
  default Device device() {
    return devices().get(0);
  }

  /** Communicators across ranks. */
  Collectives collectives();

  /** Where the ranks of the job meet; one store for all of them. */
  Store store();
}
