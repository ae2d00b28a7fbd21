package dev.eddyline.cuda;

import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Kernel;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What NVRTC is given for a kernel. */
final class KernelSource {
  private KernelSource() {}

  /** The name under which NVRTC's messages speak of it. */
  static String file(Kernel kernel) {
    return kernel.name() + ".cu";
  }

  /**
   * The text to compile.
   *
   * @throws DeviceException if there is none, or if it lacks the function that will be asked for
   */
  static String of(Kernel kernel) {
    String source = kernel.source();
    String name = kernel.name();
    if (source.isBlank()) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT,
          "kernel '"
              + name
              + "' has no CUDA source: give it one with Kernel.named(\""
              + name
              + "\").source(…), or run the program on the simulated device");
    }
    Pattern function =
        Pattern.compile(
            "extern\\s+\"C\"\\s*(?:\\{.*)?__global__\\s[^;{]*?\\b"
                + Pattern.quote(name)
                + "\\s*\\(",
            Pattern.DOTALL);
    if (!function.matcher(source).find()) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT,
          "the source of kernel '"
              + name
              + "' has no function of that name: write extern \"C\" __global__ void "
              + name
              + "(…)");
    }
    return source.endsWith("\n") ? source : source + "\n";
  }

  /**
   * NVRTC's options.
   *
   * @param architecture for example "sm_90"
   */
  static List<String> options(String architecture, List<String> includePaths) {
    List<String> options = new ArrayList<>();
    options.add("--gpu-architecture=" + architecture);
    options.add("--std=c++17");
    options.add("--generate-line-info");
    includePaths.forEach(path -> options.add("--include-path=" + path));
    return options;
  }

  /** What to say when it does not compile. */
  static String failed(Kernel kernel, String error, String log) {
    return "nvrtcCompileProgram of kernel '"
        + kernel.name()
        + "' failed: "
        + error
        + "\n"
        + log.strip();
  }
}
