package dev.eddyline.samples;

import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Platform;
import dev.eddyline.device.PlatformProvider;
import dev.eddyline.group.TcpStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** GPUs; this process is one rank, as its environment says. */
public final class RealDevice implements SampleDevice {
  private static final long ONE_MINUTE = 60_000_000_000L;

  private final Map<String, String> environment = System.getenv();

  @Override
  public String name() {
    return "cuda";
  }

  @Override
  public boolean ranksAreProcesses() {
    return true;
  }

  @Override
  public int firstRank() {
    return TcpStore.rank(environment);
  }

  @Override
  public int devices() {
    return provider().count();
  }

  @Override
  public List<Story.Numbers> run(Run run, Program program) {
    PlatformProvider cuda = provider();
    int rank = TcpStore.rank(environment);
    int size = TcpStore.worldSize(environment);
    try (TcpStore store = TcpStore.fromEnvironment(environment, ONE_MINUTE)) {
      Platform platform = cuda.open(rank, size, store, List.of(deviceOf(rank, cuda.count())));
      Story.Numbers numbers = program.run(platform);
      awaitOthers(store, rank, size);
      return List.of(numbers);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("rank " + rank + " failed: " + e, e);
    }
  }

  private static PlatformProvider provider() {
    PlatformProvider cuda =
        PlatformProvider.named("cuda")
            .orElseThrow(
                () ->
                    new DeviceException(
                        Reason.DRIVER,
                        "device 'cuda' needs eddyline-cuda on the class path, and the linux-x86_64"
                            + " jars of org.bytedeco:cuda and org.bytedeco:javacpp"));
    Optional<String> unavailable = cuda.unavailable();
    if (unavailable.isPresent()) {
      throw new DeviceException(Reason.DRIVER, unavailable.get());
    }
    return cuda;
  }

  /** A GPU for each rank if there are enough; else they share. */
  private int deviceOf(int rank, int devices) {
    String local = environment.getOrDefault("LOCAL_RANK", "");
    return (local.isBlank() ? rank : Integer.parseInt(local.strip())) % devices;
  }

  /** Rank 0 serves the store, so it leaves last. */
  private static void awaitOthers(TcpStore store, int rank, int size) {
    store.set("samples/done/" + rank, new byte[] {1});
    for (int other = 0; rank == 0 && other < size; other++) {
      store.get("samples/done/" + other, ONE_MINUTE);
    }
  }
}
