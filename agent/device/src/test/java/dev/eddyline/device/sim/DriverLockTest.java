package dev.eddyline.device.sim;

import static dev.eddyline.device.sim.Programs.MS;
import static dev.eddyline.device.sim.Programs.spin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.Communicator;
import dev.eddyline.device.CommunicatorOptions;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.HostBuffer;
import dev.eddyline.device.HostThread;
import dev.eddyline.device.Platform;
import dev.eddyline.device.ReduceOp;
import dev.eddyline.device.Stream;
import dev.eddyline.device.StreamOptions;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class DriverLockTest {
  private static final long MB = 1 << 20;

  private interface Made {
    Runnable from(Platform platform);
  }

  private static long nanosBeside(Made blocked, Consumer<Device> call) {
    AtomicLong nanos = new AtomicLong();
    Sim.run(
        platform -> {
          Device device = platform.device();
          Runnable blocking = blocked.from(platform);
          spin(device.createStream(StreamOptions.blocking("busy")), "spin", 50 * MS);
          HostThread other = platform.host().start("blocked", blocking);
          platform.host().sleep(MS);
          long before = platform.host().nanoTime();
          call.accept(device);
          nanos.set(platform.host().nanoTime() - before);
          other.join();
        });
    return nanos.get();
  }

  private static Runnable free(Platform platform) {
    Buffer buffer = platform.device().allocate(DataType.INT8, MB);
    return () -> platform.device().free(buffer);
  }

  private static Runnable upload(Platform platform) {
    Buffer target = platform.device().allocate(DataType.INT8, MB);
    HostBuffer source = platform.device().allocatePinned(DataType.INT8, MB);
    return () -> platform.device().copy(target, source);
  }

  private static Runnable sync(Platform platform) {
    return () -> platform.device().synchronize();
  }

  @Test
  void a_free_keeps_others_from_launching_and_allocating() {
    assertThat(nanosBeside(DriverLockTest::free, device -> device.allocate(DataType.INT8, MB)))
        .isBetween(45 * MS, 55 * MS);
    assertThat(nanosBeside(DriverLockTest::free, device -> spin(device.defaultStream(), "l", 1)))
        .isBetween(45 * MS, 55 * MS);
  }

  @Test
  void a_copy_keeps_others_from_launching_only() {
    assertThat(nanosBeside(DriverLockTest::upload, device -> spin(device.defaultStream(), "l", 1)))
        .isBetween(45 * MS, 55 * MS);
    assertThat(nanosBeside(DriverLockTest::upload, device -> device.allocate(DataType.INT8, MB)))
        .isLessThan(MS);
  }

  @Test
  void a_sync_keeps_nobody() {
    assertThat(nanosBeside(DriverLockTest::sync, device -> spin(device.defaultStream(), "l", 1)))
        .isLessThan(MS);
  }

  @Test
  void a_collective_of_another_thread_waits_for_the_free_too() {
    AtomicLong launched = new AtomicLong();
    Sim.run(
        SimOptions.defaults().withRanks(2),
        platform -> {
          Device device = platform.device();
          Communicator world = nonBlocking(platform);
          Buffer values = device.allocate(DataType.FLOAT32, 16);
          Stream nccl = device.createStream("nccl");
          Runnable free = free(platform);
          spin(device.createStream("busy"), "spin", 50 * MS);
          HostThread other = platform.host().start("blocked", free);
          long before = platform.host().nanoTime();
          world.allReduce(values, values, ReduceOp.SUM, nccl);
          while (world.state() == Communicator.State.IN_PROGRESS) {
            platform.host().sleep(MS);
          }
          launched.set(platform.host().nanoTime() - before);
          other.join();
          nccl.synchronize();
        });

    assertThat(launched.get()).isBetween(45 * MS, 55 * MS);
  }

  @Test
  void who_waits_for_ever_behind_a_blocked_call_is_told_so() {
    assertThatThrownBy(
            () ->
                Sim.run(
                    SimOptions.defaults().withRanks(2),
                    platform -> {
                      Device device = platform.device();
                      Communicator world = Programs.world(platform);
                      Buffer values = device.allocate(DataType.FLOAT32, 16);
                      Stream nccl = device.createStream("nccl");
                      Runnable free = free(platform);
                      if (platform.rank() == 0) {
                        world.allReduce(values, values, ReduceOp.SUM, nccl);
                        platform.host().start("blocked", free);
                        platform.host().sleep(MS);
                        spin(device.defaultStream(), "late", 1);
                      }
                    }))
        .isInstanceOfSatisfying(
            DeviceException.class, e -> assertThat(e.reason()).isEqualTo(Reason.DEADLOCK))
        .hasMessageContaining(
            "is kept from cudaLaunchKernel by a thread that is blocked in the driver");
  }

  @Test
  void the_third_upload_from_pageable_memory_waits_for_the_first_and_reads_what_is_there_then() {
    Sim.run(
        platform -> {
          Device device = platform.device();
          Stream busy = device.createStream("busy");
          Buffer target = device.allocate(DataType.INT8, 3 * MB);
          HostBuffer source = device.allocatePageable(DataType.INT8, 3 * MB);
          spin(busy, "spin", 50 * MS);
          long before = platform.host().nanoTime();
          busy.copy(target.slice(0, MB), source.slice(0, MB));
          busy.copy(target.slice(MB, MB), source.slice(MB, MB));
          long two = platform.host().nanoTime();
          busy.copy(target.slice(2 * MB, MB), source.slice(2 * MB, MB));
          long three = platform.host().nanoTime();
          busy.copy(target, source);
          long idle = platform.host().nanoTime();
          busy.synchronize();
          platform.host().sleep(MS);
          long again = platform.host().nanoTime();
          busy.copy(target, source);

          assertThat(two - before).isLessThan(MS);
          assertThat(three - two).isBetween(45 * MS, 55 * MS);
          assertThat(idle - three).isLessThan(5 * MS);
          assertThat(platform.host().nanoTime() - again).isLessThan(MS);
        });
  }

  private static Communicator nonBlocking(Platform platform) {
    return Programs.world(platform, CommunicatorOptions.asynchronous());
  }
}
