package dev.eddyline.cuda;

import dev.eddyline.device.Collectives;
import dev.eddyline.device.Communicator;
import dev.eddyline.device.Communicator.State;
import dev.eddyline.device.CommunicatorOptions;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.ReduceOp;
import dev.eddyline.device.Store;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32;
import org.bytedeco.cuda.global.nccl;
import org.bytedeco.cuda.nccl.ncclComm;
import org.bytedeco.cuda.nccl.ncclConfig_t;
import org.bytedeco.cuda.nccl.ncclUniqueId;
import org.bytedeco.javacpp.Pointer;

/** NCCL, with communicators whose calls never block. */
final class CudaCollectives implements Collectives {
  private static final int ID_BYTES = 128;
  private static final int MAGIC = 0xcafebeef;
  private static final int UNDEFINED = Integer.MIN_VALUE;
  private static final byte[] HERE = {1};
  private static final long PAUSE = 50_000;

  private final Store store;
  private final long launchTimeoutNanos;

  CudaCollectives(Store store, long launchTimeoutNanos) {
    this.store = store;
    this.launchTimeoutNanos = launchTimeoutNanos;
  }

  @Override
  public byte[] createId() {
    Libraries.loadNccl();
    try (ncclUniqueId made = new ncclUniqueId()) {
      NcclFaults.check(nccl.ncclGetUniqueId(made), "ncclGetUniqueId");
      byte[] id = new byte[ID_BYTES];
      made.internal().get(id);
      return id;
    }
  }

  @Override
  public Communicator join(
      String name, byte[] id, int size, int rank, Device device, CommunicatorOptions options) {
    Libraries.loadNccl();
    if (!(device instanceof CudaDevice cuda)) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT, "'" + name + "' is joined with " + device + ", no CUDA device");
    }
    if (rank < 0 || rank >= size || id.length != ID_BYTES) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT,
          id.length == ID_BYTES
              ? "rank " + rank + " of a communicator of " + size
              : "an id of " + id.length + " bytes is not one of createId()");
    }
    cuda.enter();
    store.set(key(id, rank), HERE);
    ncclComm handle = new ncclComm();
    try (ncclUniqueId unique = new ncclUniqueId();
        ncclConfig_t config = config()) {
      unique.internal().put(id);
      NcclFaults.check(
          nccl.ncclCommInitRankConfig(handle, size, unique, rank, config),
          "ncclCommInitRankConfig of '" + name + "'");
    }
    CudaCommunicator made =
        new CudaCommunicator(name, rank, size, cuda, handle.address(), options, launchTimeoutNanos);
    DeviceException failure = null;
    try {
      long deadline = System.nanoTime() + options.joinTimeoutNanos();
      boolean inTime = made.awaitReady(options.joinTimeoutNanos());
      if (inTime && made.error() == null && connect(made, deadline)) {
        return made;
      }
    } catch (DeviceException e) {
      failure = e;
    }
    failure = failure == null ? made.error() : failure;
    // NCCL may take seconds to give up; nobody has to wait for that.
    Thread aborting = new Thread(made::abort, "eddyline-abort-" + name);
    aborting.setDaemon(true);
    aborting.start();
    throw failure != null ? failure : tooLate(name, id, size, rank, options.joinTimeoutNanos());
  }

  /**
   * NCCL connects ranks in their first collective, whose call does not return before all have made
   * it; so the first one is made here, where waiting for the others is what is asked for.
   */
  private static boolean connect(CudaCommunicator made, long deadline) {
    if (made.size() == 1) {
      return true;
    }
    CudaStream stream = CudaStream.of(made.device().createStream("connect"));
    CudaBuffer one = CudaBuffer.of(stream.allocate(DataType.FLOAT32, 1));
    stream.fill(one, 0);
    try {
      int type = NcclTypes.of(one.type());
      int op = NcclTypes.of(ReduceOp.SUM);
      NcclFaults.check(
          nccl.ncclAllReduce(one.raw(), one.raw(), 1, type, op, made.handle(), stream.pointer()),
          "ncclAllReduce");
      while (made.state() == State.IN_PROGRESS || made.state() == State.READY && !stream.isDone()) {
        if (System.nanoTime() > deadline) {
          return false;
        }
        LockSupport.parkNanos(PAUSE);
      }
      return made.state() == State.READY;
    } finally {
      stream.free(one);
      stream.close();
    }
  }

  private DeviceException tooLate(
      String name, byte[] id, int size, int rank, long joinTimeoutNanos) {
    return new DeviceException(
        Reason.TIMEOUT,
        "rank "
            + rank
            + " waited "
            + joinTimeoutNanos / 1_000_000
            + " ms for communicator '"
            + name
            + "': "
            + missing(id, size));
  }

  private static String key(byte[] id, int rank) {
    CRC32 crc = new CRC32();
    crc.update(id);
    return "eddyline/nccl/" + Long.toHexString(crc.getValue()) + "/" + rank;
  }

  /** Who did not come, in words. */
  private String missing(byte[] id, int size) {
    List<Integer> missing = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      try {
        store.get(key(id, rank), 1_000_000);
      } catch (DeviceException e) {
        if (e.reason() != Reason.TIMEOUT) {
          return "and nobody can say who came, because " + e.getMessage();
        }
        missing.add(rank);
      }
    }
    return missing.isEmpty()
        ? "all ranks came, but NCCL did not connect them: one may be gone since, or look at"
            + " NCCL_SOCKET_IFNAME"
        : "the ranks " + missing + " did not come; are their processes alive?";
  }

  /** What C's NCCL_CONFIG_INITIALIZER gives, but non-blocking. */
  static ncclConfig_t config() {
    ncclConfig_t config = new ncclConfig_t();
    long bytes = config.sizeof();
    Pointer.memset(config, 0, bytes);
    config.size(bytes);
    config.magic(MAGIC);
    config.version(nccl.NCCL_VERSION_CODE);
    config.blocking(0);
    config.cgaClusterSize(UNDEFINED);
    config.minCTAs(UNDEFINED);
    config.maxCTAs(UNDEFINED);
    config.splitShare(UNDEFINED);
    config.trafficClass(UNDEFINED);
    config.collnetEnable(UNDEFINED);
    config.CTAPolicy(UNDEFINED);
    config.shrinkShare(UNDEFINED);
    config.nvlsCTAs(UNDEFINED);
    config.nChannelsPerNetPeer(UNDEFINED);
    config.nvlinkCentricSched(UNDEFINED);
    config.graphUsageMode(UNDEFINED);
    config.numRmaCtx(UNDEFINED);
    return config;
  }

  @Override
  public void groupStart() {
    Libraries.loadNccl();
    ThreadState state = ThreadState.get();
    NcclFaults.check(nccl.ncclGroupStart(), "ncclGroupStart");
    state.groupDepth++;
  }

  @Override
  public void groupEnd() {
    ThreadState state = ThreadState.get();
    if (state.groupDepth == 0) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT,
          "thread '" + Thread.currentThread().getName() + "' ends a group that it did not begin");
    }
    state.groupDepth--;
    if (state.groupDepth > 0) {
      NcclFaults.check(nccl.ncclGroupEnd(), "ncclGroupEnd");
      return;
    }
    List<CudaCommunicator> called = List.copyOf(new LinkedHashSet<>(state.grouped));
    state.grouped.clear();
    int code = nccl.ncclGroupEnd();
    // Each may have been aborted meanwhile by another thread; that is done now, by this one.
    called.forEach(CudaCommunicator::groupEnded);
    NcclFaults.check(code, "ncclGroupEnd");
    called.forEach(CudaCommunicator::awaitIfBlocking);
  }
}
