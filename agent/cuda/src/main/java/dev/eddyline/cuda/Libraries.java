package dev.eddyline.cuda;

import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.cuda.global.nccl;
import org.bytedeco.cuda.global.nvrtc;
import org.bytedeco.javacpp.Loader;
import org.jspecify.annotations.Nullable;

/**
 * Finds CUDA's libraries where toolkits, packages and Python wheels put them, and loads them before
 * their JNI parts, which then find them by name.
 */
final class Libraries {
  private static final List<String> CUDA = List.of("libcuda.so.1", "libcudart.so.13");
  private static final List<String> NVRTC = List.of("libnvrtc.so.13");
  private static final List<String> NCCL = List.of("libnccl.so.2");

  private static @Nullable String failure;
  private static boolean cudaLoaded;
  private static boolean ncclLoaded;

  private Libraries() {}

  /** Loads what every program needs; says the same again if it failed before. */
  static synchronized void loadCuda() {
    if (cudaLoaded) {
      return;
    }
    String before = failure;
    if (before != null) {
      throw new DeviceException(Reason.DRIVER, before);
    }
    try {
      load(CUDA, cudart.class);
      load(NVRTC, nvrtc.class);
      cudaLoaded = true;
    } catch (DeviceException e) {
      failure = String.valueOf(e.getMessage());
      throw e;
    }
  }

  /** Loads the collective library. */
  static synchronized void loadNccl() {
    if (!ncclLoaded) {
      loadCuda();
      load(NCCL, nccl.class);
      ncclLoaded = true;
    }
  }

  private static void load(List<String> names, Class<?> preset) {
    List<Path> places = places(System.getenv(), Path.of("/"));
    for (String name : names) {
      loadFirst(name, places);
    }
    try {
      Loader.load(preset);
    } catch (UnsatisfiedLinkError | NoClassDefFoundError e) {
      throw new DeviceException(Reason.DRIVER, missing(names, places, e.getMessage()), e);
    }
  }

  private static void loadFirst(String name, List<Path> places) {
    boolean loaded = false;
    for (int i = 0; i < places.size() && !loaded; i++) {
      loaded = tryLoad(places.get(i).resolve(name));
    }
  }

  /** Whether it could be loaded; one that does not fit here leaves the next place to try. */
  private static boolean tryLoad(Path file) {
    if (!Files.exists(file)) {
      return false;
    }
    try {
      System.load(file.toString());
      return true;
    } catch (UnsatisfiedLinkError e) {
      return false;
    }
  }

  /** The one line that says what is not there and where it was looked for. */
  static String missing(List<String> names, List<Path> places, @Nullable String why) {
    StringBuilder text = new StringBuilder("no CUDA device: ");
    text.append(String.join(" and ", names)).append(" or the JNI part of it cannot be loaded (");
    text.append(why == null ? "no reason given" : why.lines().findFirst().orElse(""));
    text.append("); looked into the loader's own path and ");
    text.append(String.join(", ", places.stream().map(Path::toString).toList()));
    text.append(
        "; install CUDA 13 and NCCL, or set LD_LIBRARY_PATH, and have the linux-x86_64 jars");
    return text.append(" of org.bytedeco:cuda and org.bytedeco:javacpp on the class path")
        .toString();
  }

  /**
   * Where to look, in this order, existing folders or not.
   *
   * @param root "/", but for tests
   */
  static List<Path> places(Map<String, String> environment, Path root) {
    Set<Path> places = new LinkedHashSet<>();
    for (String entry : environment.getOrDefault("LD_LIBRARY_PATH", "").split(":")) {
      if (!entry.isBlank()) {
        places.add(Path.of(entry));
      }
    }
    for (String variable : List.of("CUDA_HOME", "CUDA_PATH", "NCCL_HOME")) {
      String home = environment.getOrDefault(variable, "");
      if (!home.isBlank()) {
        places.add(Path.of(home, "lib64"));
        places.add(Path.of(home, "lib"));
      }
    }
    Path local = root.resolve("usr/local");
    for (Path toolkit : children(local, "cuda*")) {
      places.add(toolkit.resolve("lib64"));
      children(toolkit.resolve("targets"), "*").forEach(t -> places.add(t.resolve("lib")));
    }
    places.add(local.resolve("cuda/lib64"));
    places.add(local.resolve("nvidia/lib64"));
    places.add(root.resolve("usr/lib/x86_64-linux-gnu"));
    places.add(root.resolve("usr/lib64"));
    for (Path base : List.of(local.resolve("lib"), root.resolve("usr/lib"))) {
      for (Path python : children(base, "python3*")) {
        for (String packages : List.of("site-packages", "dist-packages")) {
          children(python.resolve(packages).resolve("nvidia"), "*")
              .forEach(wheel -> places.add(wheel.resolve("lib")));
        }
      }
    }
    return List.copyOf(places);
  }

  private static List<Path> children(Path folder, String glob) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, glob)) {
      entries.forEach(found::add);
    } catch (IOException e) {
      return List.of();
    }
    try (Stream<Path> sorted = found.stream().sorted()) {
      return sorted.toList();
    }
  }
}
