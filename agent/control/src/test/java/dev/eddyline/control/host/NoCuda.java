package dev.eddyline.control.host;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Uses no CUDA, and says which of its libraries are in the process all the same. */
public final class NoCuda {
  private NoCuda() {}

  public static void main(String[] args) throws Exception {
    Thread.sleep(300);
    List<String> found =
        Files.readAllLines(Path.of("/proc/self/maps")).stream()
            .filter(line -> line.contains("libcuda") || line.contains("libcupti"))
            .toList();
    System.out.println("CUDA in the process: " + found);
    System.exit(Training.EXIT_CODE);
  }
}
