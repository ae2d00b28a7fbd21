package dev.eddyline.recorder.gpu;

import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.eddy.EddyReader;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.TimelineBuilder;
import dev.eddyline.marks.Marks;
import dev.eddyline.recorder.Recorder;
import dev.eddyline.recorder.RecorderOptions;
import dev.eddyline.recorder.Recording;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.cuda.cudart.CUevent_st;
import org.bytedeco.cuda.cudart.CUstream_st;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.cuda.global.nccl;
import org.bytedeco.cuda.nccl.ncclComm;
import org.bytedeco.cuda.nccl.ncclConfig_t;
import org.bytedeco.cuda.nccl.ncclUniqueId;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;

/**
 * One of two ranks that all-reduce on one GPU, with a record inside each group, which lies before
 * the collective, and one after it. Arguments: file, rank, file for the id, "deep" or "default".
 */
public final class NcclRanks {
  private static final int ROUNDS = 20;
  private static final int ELEMENTS = 1 << 16;

  private NcclRanks() {}

  public static void main(String[] arguments) throws Exception {
    Path file = Path.of(arguments[0]);
    int rank = Integer.parseInt(arguments[1]);
    Recording recording =
        Recorder.start(
            RecorderOptions.into(file)
                .change()
                .rank(rank, 2)
                .deep(arguments[3].equals("deep"))
                .build(),
            line -> System.out.println("eddyline: " + line));
    Marks.setSink(recording.marks());
    Gpu gpu = new Gpu();
    for (String folder : System.getenv().getOrDefault("LD_LIBRARY_PATH", "").split(":")) {
      if (Files.exists(Path.of(folder, "libnccl.so.2"))) {
        System.load(Path.of(folder, "libnccl.so.2").toString());
        break;
      }
    }
    Loader.load(nccl.class);
    ncclComm comm = new ncclComm();
    if (arguments[3].equals("nonblocking")) {
      ncclUniqueId id = id(Path.of(arguments[2]), rank);
      await(comm, nccl.ncclCommInitRankConfig(comm, 2, id, rank, nonBlocking()));
    } else {
      check(nccl.ncclCommInitRank(comm, 2, id(Path.of(arguments[2]), rank), rank));
    }
    run(gpu, comm);
    recording.detach();
    while (recording.isActive()) {
      Thread.sleep(5);
    }
    System.out.println(recording.info());
    check(nccl.ncclCommDestroy(comm));
    compare(file);
  }

  private static void check(int code) {
    if (code != 0) {
      throw new IllegalStateException("NCCL error " + code);
    }
  }

  /** What C's NCCL_CONFIG_INITIALIZER gives, but non-blocking. */
  private static ncclConfig_t nonBlocking() {
    int undefined = Integer.MIN_VALUE;
    ncclConfig_t config = new ncclConfig_t();
    Pointer.memset(config, 0, config.sizeof());
    config.size(config.sizeof()).magic(0xcafebeef).version(nccl.NCCL_VERSION_CODE).blocking(0);
    config.cgaClusterSize(undefined).minCTAs(undefined).maxCTAs(undefined);
    config.splitShare(undefined).trafficClass(undefined).collnetEnable(undefined);
    config.CTAPolicy(undefined).shrinkShare(undefined).nvlsCTAs(undefined);
    config.nChannelsPerNetPeer(undefined).nvlinkCentricSched(undefined);
    config.graphUsageMode(undefined).numRmaCtx(undefined);
    return config;
  }

  private static void await(ncclComm comm, int code) {
    int[] state = {code};
    while (state[0] == nccl.ncclInProgress) {
      check(nccl.ncclCommGetAsyncError(comm, state));
    }
    check(state[0]);
  }

  private static ncclUniqueId id(Path file, int rank) throws Exception {
    ncclUniqueId id = new ncclUniqueId();
    byte[] bytes = new byte[128];
    if (rank == 0) {
      check(nccl.ncclGetUniqueId(id));
      new BytePointer(id).capacity(128).get(bytes);
      Files.write(file.resolveSibling("part"), bytes);
      Files.move(file.resolveSibling("part"), file);
    } else {
      while (!Files.exists(file)) {
        Thread.sleep(5);
      }
      new BytePointer(id).capacity(128).put(Files.readAllBytes(file));
    }
    return id;
  }

  private static void run(Gpu gpu, ncclComm comm) {
    CUstream_st user = gpu.stream();
    CUstream_st stream = gpu.stream();
    Marks.nameStream(0, stream.address(), "nccl");
    CUevent_st ready = gpu.event();
    CUevent_st inside = gpu.event();
    CUevent_st after = gpu.event();
    Pointer send = new Pointer();
    Pointer receive = new Pointer();
    Gpu.check(cudart.cudaMalloc(send, 4L * ELEMENTS));
    Gpu.check(cudart.cudaMalloc(receive, 4L * ELEMENTS));
    for (int i = 0; i < ROUNDS; i++) {
      Marks.beginStep("step " + i);
      gpu.spin(user, 50_000);
      Gpu.check(cudart.cudaEventRecord(ready, user));
      Gpu.check(cudart.cudaStreamWaitEvent(stream, ready, 0));
      check(nccl.ncclGroupStart());
      Marks.collective(
          "world",
          i,
          "allreduce",
          "f32",
          ELEMENTS,
          ELEMENTS,
          2,
          send.address(),
          receive.address(),
          0,
          stream.address(),
          after.address());
      check(
          nccl.ncclAllReduce(send, receive, ELEMENTS, nccl.ncclFloat, nccl.ncclSum, comm, stream));
      Gpu.check(cudart.cudaEventRecord(inside, stream));
      Marks.beginLaunch();
      await(comm, nccl.ncclGroupEnd());
      Marks.endLaunch();
      Gpu.check(cudart.cudaEventRecord(after, stream));
      Gpu.check(cudart.cudaStreamWaitEvent(user, after, 0));
      gpu.launch(user);
      Gpu.check(cudart.cudaStreamSynchronize(user));
      Marks.end();
    }
  }

  private static void compare(Path file) throws Exception {
    TimelineBuilder builder = new TimelineBuilder();
    new EddyReader().read(file, builder, ReadOptions.defaults());
    Timeline timeline = builder.build();
    List<Long> kernels = new ArrayList<>();
    List<Long> correlations = new ArrayList<>();
    for (int i = 0; i < timeline.ops().size(); i++) {
      var op = timeline.ops().at(i);
      if (op.name().contains("nccl")) {
        correlations.add(op.correlation());
        kernels.add(op.call() < 0 ? -1 : timeline.calls().at(op.call()).start());
      }
    }
    int joined = 0;
    int events = 0;
    for (int i = 0; i < timeline.collectives().size(); i++) {
      joined += correlations.contains(timeline.collectives().at(i).correlation()) ? 1 : 0;
      events += timeline.collectives().at(i).workEvent() >= 0 ? 1 : 0;
    }
    int before = 0;
    int behind = 0;
    for (long launched : kernels) {
      long lastBefore = Long.MIN_VALUE;
      long firstAfter = Long.MAX_VALUE;
      for (int i = 0; i < timeline.records().size(); i++) {
        var record = timeline.records().at(i);
        boolean ours =
            record.call() >= 0
                && record.stream() >= 0
                && timeline.stream(record.stream()).name().equals("nccl");
        if (ours) {
          long start = timeline.calls().at(record.call()).start();
          if (start < launched) {
            lastBefore = Math.max(lastBefore, start);
          } else {
            firstAfter = Math.min(firstAfter, start);
          }
        }
      }
      before += launched - lastBefore < 5_000_000 ? 1 : 0;
      behind += firstAfter - launched < 5_000_000 ? 1 : 0;
    }
    System.out.printf(
        "NCCL kernels %d with a record just before %d just after %d; collectives %d joined %d with"
            + " event %d; accesses %d allocations %d%n",
        kernels.size(),
        before,
        behind,
        timeline.collectives().size(),
        joined,
        events,
        timeline.accesses().size(),
        timeline.allocations().size());
    if (kernels.size() != ROUNDS || joined != ROUNDS || events != ROUNDS) {
      throw new IllegalStateException("collectives are not joined");
    }
  }
}
