package dev.eddyline.group;

import dev.eddyline.device.DeviceException;
import dev.eddyline.device.Platform;
import dev.eddyline.device.PlatformProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;

/** This process as a rank on the first GPU; agent/gpu-tests.sh starts one for each rank. */
final class GpuRank {
  private static final long LONG = 60_000_000_000L;

  private final TcpStore store;
  private final Platform platform;

  private GpuRank(TcpStore store, Platform platform) {
    this.store = store;
    this.platform = platform;
  }

  static GpuRank ofEnvironment() {
    TcpStore store = TcpStore.fromEnvironment(System.getenv(), LONG);
    int rank = TcpStore.rank(System.getenv());
    int size = TcpStore.worldSize(System.getenv());
    PlatformProvider cuda = PlatformProvider.named("cuda").orElseThrow();
    return new GpuRank(store, cuda.open(rank, size, store, List.of(0)));
  }

  Platform platform() {
    return platform;
  }

  TcpStore store() {
    return store;
  }

  int rank() {
    return platform.rank();
  }

  ProcessGroup join(String name) {
    return join(name, GroupOptions.defaults());
  }

  ProcessGroup join(String name, GroupOptions how) {
    return ProcessGroup.join(platform, name, how);
  }

  void meet(String where) {
    store.set("meet/" + where + "/" + rank(), new byte[] {1});
    for (int other = 0; other < platform.worldSize(); other++) {
      try {
        store.get("meet/" + where + "/" + other, LONG);
      } catch (DeviceException e) {
        throw new AssertionError("rank " + other + " did not come to '" + where + "'", e);
      }
    }
  }

  void say(String format, Object... arguments) {
    sayAlone("rank " + rank() + ": " + String.format(Locale.ROOT, format, arguments));
  }

  static void sayAlone(String line) {
    System.out.println(line);
    String out = System.getProperty("eddyline.out", "");
    if (out.isEmpty()) {
      return;
    }
    try {
      Files.write(
          Path.of(out, "figures.txt"),
          (line + "\n").getBytes(StandardCharsets.UTF_8),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
