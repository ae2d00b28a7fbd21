package dev.eddyline.recorder.shim;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where CUPTI may lie, in the order to try, if the process has none mapped yet: what the user
 * named, then {@code CUDA_HOME} and {@code CUDA_PATH}, {@code LD_LIBRARY_PATH}, {@code
 * /usr/local/cuda*}, the system's folders, and Python wheels.
 */
public final class CuptiPlaces {
  private static final List<Integer> MAJORS = List.of(13, 12);
  private static final List<String> WITHIN_CUDA =
      List.of("extras/CUPTI/lib64", "lib64", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib");

  private CuptiPlaces() {}

  /**
   * All places; those that are not there are among them, so that they can be named.
   *
   * @param named files or folders that the user named
   * @param environment the process's
   */
  public static List<Path> list(List<Path> named, Map<String, String> environment) {
    Set<Path> folders = new LinkedHashSet<>();
    Set<Path> files = new LinkedHashSet<>();
    for (Path path : named) {
      if (Files.isDirectory(path)) {
        files.addAll(inFolder(path));
      } else {
        files.add(path);
      }
    }
    for (String variable : List.of("CUDA_HOME", "CUDA_PATH")) {
      String home = environment.get(variable);
      if (home != null && !home.isEmpty()) {
        addCuda(Path.of(home), folders);
      }
    }
    for (String folder :
        environment.getOrDefault("LD_LIBRARY_PATH", "").split(File.pathSeparator)) {
      if (!folder.isEmpty()) {
        folders.add(Path.of(folder));
      }
    }
    addCuda(Path.of("/usr/local/cuda"), folders);
    matching(Path.of("/usr/local"), "cuda-*").forEach(cuda -> addCuda(cuda, folders));
    folders.add(Path.of("/usr/lib/x86_64-linux-gnu"));
    folders.add(Path.of("/usr/lib/aarch64-linux-gnu"));
    folders.add(Path.of("/usr/lib64"));
    addWheels(environment, folders);
    folders.forEach(folder -> files.addAll(inFolder(folder)));
    return List.copyOf(files);
  }

  private static void addCuda(Path cuda, Set<Path> folders) {
    WITHIN_CUDA.forEach(within -> folders.add(cuda.resolve(within)));
  }

  private static List<Path> inFolder(Path folder) {
    List<Path> files = new ArrayList<>();
    for (int major : MAJORS) {
      files.add(folder.resolve("libcupti.so." + major));
    }
    return files;
  }

  private static void addWheels(Map<String, String> environment, Set<Path> folders) {
    List<Path> roots = new ArrayList<>();
    for (String variable : List.of("VIRTUAL_ENV", "CONDA_PREFIX")) {
      String root = environment.get(variable);
      if (root != null && !root.isEmpty()) {
        roots.add(Path.of(root));
      }
    }
    for (String folder : environment.getOrDefault("PATH", "").split(File.pathSeparator)) {
      Path bin = folder.isEmpty() ? null : Path.of(folder);
      if (bin != null && bin.getParent() != null && Files.exists(bin.resolve("python3"))) {
        roots.add(bin.getParent());
      }
    }
    roots.add(Path.of("/usr/local"));
    Collection<Path> packages = new LinkedHashSet<>();
    for (Path root : roots) {
      for (Path python : matching(root.resolve("lib"), "python3*")) {
        packages.add(python.resolve("site-packages"));
        packages.add(python.resolve("dist-packages"));
      }
    }
    for (Path each : packages) {
      matching(each.resolve("nvidia"), "cu1[23]").forEach(cuda -> folders.add(cuda.resolve("lib")));
      Path cupti = each.resolve("nvidia/cuda_cupti/lib");
      if (Files.isDirectory(cupti)) {
        folders.add(cupti);
      }
    }
  }

  private static List<Path> matching(Path folder, String glob) {
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, glob)) {
        entries.forEach(found::add);
      } catch (IOException unreadable) {
        return List.of();
      }
    }
    found.sort(null);
    return found;
  }
}
