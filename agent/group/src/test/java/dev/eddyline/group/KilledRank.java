package dev.eddyline.group;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.HostBuffer;
import dev.eddyline.device.Platform;
import dev.eddyline.device.PlatformProvider;
import dev.eddyline.device.Stream;
import java.util.List;

/**
 * A rank that runs collectives until one of its job is killed; prints what it went through. With
 * {@code eddyline.victim} it knows who dies, and goes on without.
 */
final class KilledRank {
  static final long TIMEOUT = 6_000_000_000L;
  static final long JOIN_TIMEOUT = 8_000_000_000L;
  private static final long LONG = 30_000_000_000L;

  private static long begin = System.nanoTime();

  private KilledRank() {}

  public static void main(String[] arguments) throws InterruptedException {
    int rank = TcpStore.rank(System.getenv());
    int size = TcpStore.worldSize(System.getenv());
    int victim = Integer.getInteger("eddyline.victim");
    GroupOptions how = GroupOptions.defaults().withTimeout(TIMEOUT).withJoinTimeout(JOIN_TIMEOUT);
    TcpStore store = null;
    Platform platform = null;
    ProcessGroup world = null;
    try {
      store = TcpStore.fromEnvironment(System.getenv(), JOIN_TIMEOUT);
      platform = PlatformProvider.named("cuda").orElseThrow().open(rank, size, store, List.of(0));
      say("OPENED");
      begin = System.nanoTime();
      world = ProcessGroup.join(platform, "world", how);
      say("JOINED");
      loop(platform, world);
    } catch (DeviceException e) {
      say("ERROR " + (System.nanoTime() - begin) / 1_000_000 + " ms " + e.getMessage());
    }
    if (store == null || platform == null || victim == 0) {
      return;
    }
    int left = rank < victim ? rank : rank - 1;
    world = goOn(platform, store, world, left, size - 1, how);
    say("WENT ON as " + world);
    // Rank 0 serves the store, so it leaves last.
    store.set("left/" + rank, new byte[] {1});
    for (int other = 0; rank == 0 && other < size; other++) {
      if (other != victim) {
        store.get("left/" + other, LONG);
      }
    }
  }

  private static void say(String line) {
    System.out.println(line.replace('\n', ' '));
    System.out.flush();
  }

  private static void loop(Platform platform, ProcessGroup world) throws InterruptedException {
    Stream compute = world.device().createStream("compute");
    Buffer buffer = world.device().allocate(DataType.FLOAT32, 2);
    Buffer all = world.device().allocate(DataType.FLOAT32, 2L * world.size());
    for (int i = 0; ; i++) {
      begin = System.nanoTime();
      Work work = i % 3 == 1 ? world.allGather(buffer, all) : world.allReduce(buffer);
      switch (i % 5) {
        case 0 -> world.barrier();
        case 1 -> work.waitBlocking();
        case 2 -> {
          work.waitOnStream(compute);
          compute.synchronize();
          work.waitBlocking();
        }
        case 3 -> work.waitBlocking(2 * TIMEOUT);
        default -> work.future().thenWhenDone(compute, results -> results.get(0)).waitBlocking();
      }
      platform.host().sleep(1_000_000);
    }
  }

  /** In a communicator of those that are left: counts them. */
  private static ProcessGroup goOn(
      Platform platform,
      TcpStore store,
      ProcessGroup before,
      int rank,
      int size,
      GroupOptions how) {
    ProcessGroup group = before;
    if (group == null) {
      group = ProcessGroup.join(platform, store, "world/2", rank, size, how);
    } else {
      group.reconfigure("2", rank, size);
    }
    Device device = group.device();
    HostBuffer host = device.allocatePageable(DataType.FLOAT32, 1);
    host.putFloats(1);
    Stream stream = device.createStream("count");
    try (Device.Scope scope = device.use(stream)) {
      Buffer one = device.allocate(DataType.FLOAT32, 1);
      stream.copy(one, host);
      group.allReduce(one).waitOnStream();
      stream.copy(host, one);
    }
    if (host.getFloat(0) != size) {
      throw new IllegalStateException("counted " + host.getFloat(0) + " ranks of " + size);
    }
    return group;
  }
}
