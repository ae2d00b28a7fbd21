package dev.eddyline.control;

import dev.eddyline.recorder.shim.CuptiPlaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks for the driver, CUPTI and NCCL where the agent and a program would find them. */
final class Libraries {
  private static final Pattern DRIVER =
      Pattern.compile("Kernel Module\\s+(?:for \\S+\\s+)?(\\d+)\\.(\\S+)");
  private static final int FIRST_OF_CUDA_13 = 580;
  private static final int FIRST_OF_CUDA_12 = 525;

  private final Path root;
  private final List<Path> cupti;

  /**
   * Looks below a root.
   *
   * @param named what the user named as CUPTI
   * @param environment of the process that would be recorded
   */
  Libraries(Path root, List<Path> named, Map<String, String> environment) {
    this.root = root;
    this.cupti = CuptiPlaces.list(named, environment);
  }

  /** The driver's kernel module. */
  Check driver() {
    int major = driverMajor();
    if (major == 0) {
      return Check.bad(
          "no NVIDIA driver: there is no /proc/driver/nvidia/version",
          "record on the host with the GPU; in a container, start it with --gpus all");
    }
    int cuda = cudaOf(major);
    return cuda == 0
        ? Check.bad("driver " + major + " is older than CUDA 12", "driver 525 or newer is needed")
        : Check.ok("driver " + major + ", which serves programs of CUDA " + cuda);
  }

  /** The driver's first number, 0 if there is none. */
  int driverMajor() {
    try {
      Matcher version =
          DRIVER.matcher(Files.readString(root.resolve("proc/driver/nvidia/version")));
      return version.find() ? Integer.parseInt(version.group(1)) : 0;
    } catch (IOException none) {
      return 0;
    }
  }

  private static int cudaOf(int driver) {
    return driver >= FIRST_OF_CUDA_13 ? 13 : driver >= FIRST_OF_CUDA_12 ? 12 : 0;
  }

  /** Which CUPTI the agent would take, and the places tried where there is none. */
  Check cupti() {
    int cuda = cudaOf(driverMajor());
    List<String> others = new ArrayList<>();
    for (Path place : cupti) {
      if (!Files.exists(place)) {
        continue;
      }
      if (cuda == 0 || place.toString().endsWith(".so." + cuda)) {
        return Check.ok("CUPTI " + place + version(place));
      }
      others.add(place.toString());
    }
    if (cuda == 13 && !others.isEmpty()) {
      return Check.note(
          "CUPTI " + others.get(0) + ", of the CUDA before the driver's",
          "it serves programs of CUDA 12");
    }
    return Check.bad(
        others.isEmpty()
            ? "no CUPTI; tried: " + String.join(", ", cupti.stream().map(Path::toString).toList())
            : "no CUPTI for the driver's CUDA " + cuda + "; there are " + String.join(", ", others),
        "install the CUDA toolkit's cupti package, or name a file with --cupti");
  }

  private static String version(Path library) {
    try {
      Path real = library.toRealPath();
      return real.equals(library) ? "" : " (" + real.getFileName() + ")";
    } catch (IOException gone) {
      return "";
    }
  }

  /** NCCL, beside the places of CUPTI. */
  Check nccl() {
    for (Path place : cupti) {
      Path folder = place.getParent();
      if (folder == null) {
        continue;
      }
      for (Path candidate :
          List.of(
              folder.resolve("libnccl.so.2"),
              folder.resolve("../../nccl/lib/libnccl.so.2").normalize())) {
        if (Files.exists(candidate)) {
          return Check.ok("NCCL " + candidate + version(candidate));
        }
      }
    }
    return Check.note(
        "no NCCL in the places where CUPTI was looked for",
        "only programs with several GPUs need it; they bring their own or find it by"
            + " LD_LIBRARY_PATH");
  }
}
