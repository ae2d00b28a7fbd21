package dev.eddyline.device.sim;

import static dev.eddyline.device.sim.Cases.findings;
import static dev.eddyline.device.sim.Cases.lines;
import static dev.eddyline.device.sim.Cases.memory;
import static dev.eddyline.device.sim.Cases.read;
import static dev.eddyline.device.sim.Cases.write;
import static dev.eddyline.device.sim.Programs.world;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.device.Buffer;
import dev.eddyline.device.CachingAllocator;
import dev.eddyline.device.Communicator;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.Event;
import dev.eddyline.device.HostBuffer;
import dev.eddyline.device.HostThread;
import dev.eddyline.device.Platform;
import dev.eddyline.device.ReduceOp;
import dev.eddyline.device.Stream;
import dev.eddyline.marks.Marks;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cases 24 to 38 and 51 of real faults: memory that is freed, reused or touched too early. */
class LifetimeCasesTest {
  private static final SimOptions TWO = SimOptions.defaults().withRanks(2);

  private static Buffer allocate(CachingAllocator allocator, Stream owner) {
    return allocator.allocate(DataType.FLOAT32, Cases.MANY, owner);
  }

  private static void flattenedBucket(Platform platform, boolean recorded) {
    Communicator world = world(platform);
    Device device = platform.device();
    CachingAllocator allocator = new CachingAllocator(device);
    Stream w = device.createStream("W");
    Stream n = device.createStream("N");
    Buffer flat = allocate(allocator, w);
    write(w, "flatten", flat);
    n.waitFor(w);
    world.allReduce(flat, flat, ReduceOp.SUM, n);
    if (recorded) {
      allocator.recordStream(flat, n);
    }
    allocator.free(flat);
    write(w, "next", allocate(allocator, w));
    device.synchronize();
  }

  @Test
  void case_24_a_flattened_bucket_is_freed_while_nccl_reads_it() {
    List<Finding> found = findings(TWO, platform -> flattenedBucket(platform, false));

    assertThat(found.stream().map(Cases::line))
        .containsExactly(
            "reuse-before-done error certain: 256 KiB, freed on stream W, was handed out again, and"
                + " the kernel next on stream W overwrites it while all-reduce #0 of world on"
                + " stream N may still use it (write-after-write). Twice in this trace; the first"
                + " time is told.");
    assertThat(found.get(0).remedy())
        .isEqualTo(
            "Tell the allocator that stream N uses the block (record_stream), or let stream W wait"
                + " for all-reduce #0 of world before the block is freed.");
  }

  @Test
  void case_24_with_record_stream_the_block_is_not_reused_and_nothing_is_told() {
    assertThat(lines(TWO, platform -> flattenedBucket(platform, true))).isEmpty();
  }

  @Test
  void case_26_results_of_overlapped_communication_are_not_recorded_on_their_consumer() {
    assertThat(
            lines(
                platform -> {
                  Device device = platform.device();
                  CachingAllocator allocator = new CachingAllocator(device);
                  Stream comm = device.createStream("comm");
                  Stream compute = device.createStream("compute");
                  Buffer result = allocate(allocator, comm);
                  write(comm, "gather", result);
                  compute.waitFor(comm);
                  read(compute, "matmul", result);
                  allocator.free(result);
                  write(comm, "gather", allocate(allocator, comm));
                }))
        .containsExactly(
            "reuse-before-done error certain: 256 KiB, freed on stream comm, was handed out again,"
                + " and the kernel gather on stream comm overwrites it while the kernel matmul on"
                + " stream compute may still use it (write-after-read).");
  }

  @Test
  void case_27_events_order_kernels_and_not_the_allocator() {
    List<Finding> found =
        findings(
            platform -> {
              Device device = platform.device();
              CachingAllocator allocator = new CachingAllocator(device);
              Stream x = device.createStream("X");
              Stream i = device.createStream("I");
              Buffer weights = allocate(allocator, x);
              Event event = device.createEvent("e");
              write(x, "quantize", weights);
              x.record(event);
              i.waitFor(event);
              read(i, "matmul", weights);
              allocator.free(weights);
              write(x, "quantize", allocate(allocator, x));
            });

    assertThat(found.stream().map(Cases::line))
        .containsExactly(
            "reuse-before-done error certain: 256 KiB, freed on stream X, was handed out again, and"
                + " the kernel quantize on stream X overwrites it while the kernel matmul on stream"
                + " I may still use it (write-after-read).");
    assertThat(found.get(0).explanation())
        .startsWith("Events between the ops order the data, not the allocator:");
  }

  /** An arena that takes the handles of per-thread default streams for the same stream. */
  private static void arenaByHandle(Platform platform) {
    Buffer block = memory(platform);
    HostThread first =
        platform
            .host()
            .start(
                "T1",
                () -> {
                  Stream own = platform.device().perThreadDefaultStream();
                  Marks.allocated(
                      0, own.handle(), Marks.DEVICE, block.address(), block.bytes(), "");
                  write(own, "first", block);
                  Marks.freed(0, own.handle(), block.address());
                });
    first.join();
    HostThread second =
        platform
            .host()
            .start(
                "T2",
                () -> {
                  Stream own = platform.device().perThreadDefaultStream();
                  Marks.allocated(
                      0, own.handle(), Marks.DEVICE, block.address(), block.bytes(), "");
                  write(own, "second", block);
                });
    second.join();
  }

  @Test
  void cases_29_and_51_an_arena_keyed_by_a_handle_that_is_not_unique() {
    List<Finding> found = findings(LifetimeCasesTest::arenaByHandle);

    assertThat(found.stream().map(Cases::line))
        .containsExactly(
            "reuse-before-done error certain: 256 KiB, freed on the per-thread default stream 13 of"
                + " T1, was handed out again, and the kernel second on the per-thread default"
                + " stream 14 of T2 overwrites it while the kernel first on the per-thread default"
                + " stream 13 of T1 may still use it (write-after-write).");
    assertThat(found.get(0).explanation())
        .contains("one handle stands for a stream of each thread");
  }

  private static void freeElsewhere(Platform platform, boolean right) {
    Device device = platform.device();
    Stream u = device.createStream("U");
    Stream other = device.createStream("other");
    Buffer block = u.allocate(DataType.FLOAT32, Cases.MANY);
    HostBuffer host = device.allocatePinned(DataType.FLOAT32, Cases.MANY);
    write(u, "produce", block);
    u.copy(host, block);
    (right ? u : device.defaultStream()).free(block);
    write(other, "reuse", other.allocate(DataType.FLOAT32, Cases.MANY));
    device.synchronize();
  }

  @Test
  void case_31_memory_is_freed_on_another_stream_than_its_users() {
    List<Finding> found = findings(platform -> freeElsewhere(platform, false));

    assertThat(found.stream().map(Cases::line))
        .containsExactly(
            "use-after-free error certain: The free of 256 KiB on the legacy default stream 7 is"
                + " not ordered after a copy (Memcpy DtoH (Device -> Pinned)) on stream U, which"
                + " uses it.");
    assertThat(found.get(0).remedy()).endsWith("or free on stream U.");
    assertThat(lines(platform -> freeElsewhere(platform, true))).isEmpty();
  }

  @Test
  void case_32_a_free_that_waits_for_nothing() {
    assertThat(
            lines(
                platform -> {
                  Device device = platform.device();
                  Stream s = device.createStream("S");
                  HostBuffer block = device.allocatePinned(DataType.FLOAT32, Cases.MANY);
                  Marks.allocated(
                      -1, -1, Marks.PINNED, block.address(), block.bytes(), "lookup table");
                  read(s, "search", block);
                  Marks.freed(-1, -1, block.address());
                }))
        .containsExactly(
            "use-after-free error certain: Lookup table (256 KiB) is freed, or given back for"
                + " others, before the kernel search on stream S is known to be done.");
  }

  private static void staging(Platform platform, boolean waits, boolean pageable) {
    Device device = platform.device();
    Stream s0 = device.createStream("S0");
    HostBuffer p0 =
        pageable
            ? device.allocatePageable(DataType.FLOAT32, 64)
            : device.allocatePinned(DataType.FLOAT32, 64);
    Buffer target = device.allocate(DataType.FLOAT32, 64);
    Programs.spin(s0, "busy", Programs.MS);
    for (int step = 0; step < 2; step++) {
      p0.putFloat(0, step);
      s0.copy(target, p0);
      if (waits) {
        s0.synchronize();
      }
    }
  }

  @Test
  void case_34_pinned_staging_memory_is_overwritten_before_the_copy_ran() {
    List<Finding> found = findings(platform -> staging(platform, false, false));

    assertThat(found.stream().map(Cases::line))
        .containsExactly(
            "host-race error certain: The host (main) writes 4 bytes of 256 bytes of pinned host"
                + " memory before any sync that covers a copy (Memcpy HtoD (Pinned -> Device)) on"
                + " stream S0, which may still read it (write-after-read). Last host wait since"
                + " that op: none.");
    assertThat(found.get(0).remedy()).endsWith("or use two buffers in turn.");
    assertThat(lines(platform -> staging(platform, true, false))).isEmpty();
  }

  @Test
  void case_34_of_a_pageable_source_there_is_a_note_at_most() {
    List<Finding> found = findings(platform -> staging(platform, false, true));

    assertThat(found).hasSize(1);
    assertThat(Cases.line(found.get(0))).startsWith("host-race info possible: ");
    assertThat(found.get(0).guessed())
        .containsExactly(
            "whether the pageable source was read before the call returned: CUDA 11.0 promises it,"
                + " 12.2 and later do not");
  }

  private static void readBack(Platform platform, String how) {
    Device device = platform.device();
    Stream s0 = device.createStream("S0");
    Buffer value = device.allocate(DataType.FLOAT32, 1);
    HostBuffer host =
        how.equals("pageable")
            ? device.allocatePageable(DataType.FLOAT32, 1)
            : device.allocatePinned(DataType.FLOAT32, 1);
    Event done = device.createEvent("done");
    write(s0, "count", value);
    s0.copy(host, value);
    s0.record(done);
    switch (how) {
      case "event" -> done.synchronize();
      case "poll" -> {
        while (!done.isDone()) {
          platform.host().sleep(50_000);
        }
      }
      case "failed poll" -> done.isDone();
      default -> {}
    }
    host.getFloat(0);
  }

  @Test
  void case_35_the_host_reads_a_result_before_a_sync_that_covers_the_copy() {
    assertThat(lines(platform -> readBack(platform, "none")))
        .containsExactly(
            "host-race error certain: The host (main) reads 4 bytes of pinned host memory before"
                + " any sync that covers a copy (Memcpy DtoH (Device -> Pinned)) on stream S0,"
                + " which still writes it (read-after-write). Last host wait since that op: none.");
    assertThat(lines(platform -> readBack(platform, "failed poll"))).hasSize(1);
  }

  @Test
  void case_35_a_sync_a_poll_that_succeeded_and_a_copy_that_holds_the_host_are_in_order() {
    assertThat(lines(platform -> readBack(platform, "event"))).isEmpty();
    assertThat(lines(platform -> readBack(platform, "poll"))).isEmpty();
    assertThat(lines(platform -> readBack(platform, "pageable"))).isEmpty();
  }

  @Test
  void case_37_host_vectors_of_a_table_are_gone_before_the_copy_is_complete() {
    List<Finding> found =
        findings(
            platform -> {
              Device device = platform.device();
              Stream own = device.perThreadDefaultStream();
              Buffer table = device.allocate(DataType.FLOAT32, 64);
              HostBuffer vector = device.allocatePageable(DataType.FLOAT32, 64);
              own.copy(table, vector);
              device.free(vector);
              read(own, "assemble", table);
              own.synchronize();
            });

    assertThat(found).hasSize(1);
    assertThat(Cases.line(found.get(0)))
        .isEqualTo(
            "use-after-free info possible: 256 bytes of pageable host memory is freed, or given"
                + " back for others, before a copy (Memcpy HtoD (Pageable -> Device)) on the"
                + " per-thread default stream 13 of main is known to be done.");
    assertThat(found.get(0).explanation()).contains("look at this op first");
  }

  private static void closeAfterCopy(Platform platform, boolean waits) {
    Device device = platform.device();
    Stream s = device.createStream("S");
    HostBuffer pool = device.allocatePinned(DataType.FLOAT32, 1024);
    Marks.allocated(-1, -1, Marks.PINNED, pool.address(), 512, "HostMemoryBuffer");
    Programs.spin(s, "busy", Programs.MS);
    s.copy(device.allocate(DataType.FLOAT32, 128), pool.slice(0, 128));
    if (waits) {
      s.synchronize();
    }
    Marks.freed(-1, -1, pool.address());
  }

  @Test
  void case_38_a_host_buffer_is_closed_right_after_a_copy_that_does_not_block() {
    assertThat(lines(platform -> closeAfterCopy(platform, false)))
        .containsExactly(
            "use-after-free error certain: HostMemoryBuffer (512 bytes) is freed, or given back for"
                + " others, before a copy (Memcpy HtoD (Pinned -> Device)) on stream S is known to"
                + " be done.");
    assertThat(lines(platform -> closeAfterCopy(platform, true))).isEmpty();
  }

  @Test
  void a_sync_of_another_thread_that_returned_before_silences() {
    assertThat(
            lines(
                platform -> {
                  Device device = platform.device();
                  Stream a = device.createStream("A");
                  Stream b = device.createStream("B");
                  Buffer x = memory(platform);
                  write(a, "producer", x);
                  platform.host().start("waiter", a::synchronize).join();
                  read(b, "consumer", x);
                }))
        .isEmpty();
  }

  @Test
  void use_after_a_free_is_told() {
    assertThat(
            lines(
                platform -> {
                  Stream s = platform.device().createStream("S");
                  Stream t = platform.device().createStream("T");
                  Buffer block = s.allocate(DataType.FLOAT32, Cases.MANY);
                  write(s, "produce", block);
                  s.free(block);
                  t.waitFor(s);
                  read(t, "late", block);
                }))
        .containsExactly(
            "use-after-free error certain: The kernel late uses 256 KiB after it was freed.");
  }

  @Test
  void pool_memory_that_is_handed_out_on_another_stream_is_no_fault() {
    assertThat(
            lines(
                platform -> {
                  Stream s = platform.device().createStream("S");
                  Stream t = platform.device().createStream("T");
                  Buffer block = s.allocate(DataType.FLOAT32, Cases.MANY);
                  write(s, "produce", block);
                  s.free(block);
                  platform.host().work(10 * Programs.MS);
                  write(t, "reuse", t.allocate(DataType.FLOAT32, Cases.MANY));
                  platform.device().synchronize();
                }))
        .isEmpty();
  }

  private static void needlessRecordStream(Platform platform, boolean ordered) {
    Device device = platform.device();
    CachingAllocator allocator = new CachingAllocator(device);
    Stream w = device.createStream("W");
    Stream n = device.createStream("N");
    Buffer block = allocator.allocate(DataType.FLOAT32, 1 << 20, w);
    write(w, "flatten", block);
    n.waitFor(w);
    read(n, "send", block);
    allocator.recordStream(block, n);
    if (ordered) {
      w.waitFor(n);
    }
    Programs.spin(n, "other work", 5 * Programs.MS);
    allocator.free(block);
    device.synchronize();
    allocator.emptyCache();
  }

  @Test
  void memory_that_is_kept_back_without_need_is_told_with_how_much() {
    List<Finding> found = findings(platform -> needlessRecordStream(platform, true));

    assertThat(found).hasSize(1);
    assertThat(Cases.line(found.get(0)))
        .startsWith(
            "retained-memory info certain: 1 freed block was kept back for stream N without need:"
                + " up to 4 MiB at once, a block up to 5.");
    assertThat(lines(platform -> needlessRecordStream(platform, false))).isEmpty();
  }
}
