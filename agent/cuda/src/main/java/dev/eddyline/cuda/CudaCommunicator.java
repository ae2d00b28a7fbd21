package dev.eddyline.cuda;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.Communicator;
import dev.eddyline.device.CommunicatorOptions;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.ReduceOp;
import dev.eddyline.device.Stream;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.bytedeco.cuda.global.nccl;
import org.bytedeco.cuda.nccl.ncclComm;
import org.bytedeco.javacpp.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * A communicator of NCCL that never blocks in a call. Every NCCL call on it is made under its lock,
 * so that an abort never meets a thread inside NCCL; between group start and end the thread of the
 * group owns it, and an abort that comes then is carried out by that thread at the group's end.
 */
final class CudaCommunicator implements Communicator {
  private static final int SPINS = 200;
  private static final long PAUSE = 20_000;

  private final String name;
  private final int rank;
  private final int size;
  private final CudaDevice device;
  private final ncclComm handle;
  private final boolean nonBlocking;
  private final long launchTimeoutNanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicReference<@Nullable DeviceException> error = new AtomicReference<>();
  private final int[] asyncError = new int[1];
  private volatile boolean abortWanted;
  private volatile @Nullable Thread groupOwner;
  private boolean gone;

  CudaCommunicator(
      String name,
      int rank,
      int size,
      CudaDevice device,
      long address,
      CommunicatorOptions options,
      long launchTimeoutNanos) {
    this.name = name;
    this.rank = rank;
    this.size = size;
    this.device = device;
    this.handle = new ncclComm(new Raw(address));
    this.nonBlocking = options.nonBlocking();
    this.launchTimeoutNanos = launchTimeoutNanos;
  }

  ncclComm handle() {
    return handle;
  }

  // ---- calls ----

  @Override
  public void allReduce(Buffer send, Buffer receive, ReduceOp op, Stream stream) {
    CudaStream on = begin("all-reduce", stream);
    Pointer from = memory("all-reduce", send);
    Pointer to = memory("all-reduce", receive);
    checkCounts("all-reduce", send.count(), receive.count());
    int type = NcclTypes.of(send.type());
    int reduce = NcclTypes.of(op);
    lockReady();
    try {
      end(
          "ncclAllReduce",
          nccl.ncclAllReduce(from, to, send.count(), type, reduce, handle, on.pointer()));
    } finally {
      unlock();
    }
    finish();
  }

  @Override
  public void allGather(Buffer send, Buffer receive, Stream stream) {
    CudaStream on = begin("all-gather", stream);
    Pointer from = memory("all-gather", send);
    Pointer to = memory("all-gather", receive);
    checkCounts("all-gather", send.count() * size, receive.count());
    int type = NcclTypes.of(send.type());
    lockReady();
    try {
      end("ncclAllGather", nccl.ncclAllGather(from, to, send.count(), type, handle, on.pointer()));
    } finally {
      unlock();
    }
    finish();
  }

  @Override
  public void reduceScatter(Buffer send, Buffer receive, ReduceOp op, Stream stream) {
    CudaStream on = begin("reduce-scatter", stream);
    Pointer from = memory("reduce-scatter", send);
    Pointer to = memory("reduce-scatter", receive);
    checkCounts("reduce-scatter", send.count(), receive.count() * size);
    int type = NcclTypes.of(send.type());
    int reduce = NcclTypes.of(op);
    lockReady();
    try {
      end(
          "ncclReduceScatter",
          nccl.ncclReduceScatter(from, to, receive.count(), type, reduce, handle, on.pointer()));
    } finally {
      unlock();
    }
    finish();
  }

  @Override
  public void broadcast(Buffer send, Buffer receive, int root, Stream stream) {
    CudaStream on = begin("broadcast", stream);
    checkPeer("broadcast", root);
    Pointer to = memory("broadcast", receive);
    // Only the root's is read; the others may hand in anything.
    Pointer from = rank == root ? memory("broadcast", send) : to;
    checkCounts("broadcast", rank == root ? send.count() : receive.count(), receive.count());
    int type = NcclTypes.of(receive.type());
    lockReady();
    try {
      end(
          "ncclBroadcast",
          nccl.ncclBroadcast(from, to, receive.count(), type, root, handle, on.pointer()));
    } finally {
      unlock();
    }
    finish();
  }

  @Override
  public void reduce(Buffer send, Buffer receive, ReduceOp op, int root, Stream stream) {
    CudaStream on = begin("reduce", stream);
    checkPeer("reduce", root);
    Pointer from = memory("reduce", send);
    Pointer to = rank == root ? memory("reduce", receive) : from;
    checkCounts("reduce", send.count(), rank == root ? receive.count() : send.count());
    int type = NcclTypes.of(send.type());
    int kind = NcclTypes.of(op);
    lockReady();
    try {
      end(
          "ncclReduce",
          nccl.ncclReduce(from, to, send.count(), type, kind, root, handle, on.pointer()));
    } finally {
      unlock();
    }
    finish();
  }

  @Override
  public void allToAll(Buffer send, Buffer receive, Stream stream) {
    CudaStream on = begin("all-to-all", stream);
    Pointer from = memory("all-to-all", send);
    Pointer to = memory("all-to-all", receive);
    checkCounts("all-to-all", send.count(), receive.count());
    if (send.count() % size != 0) {
      throw wrong("all-to-all", send.count() + " elements do not fit " + size + " ranks");
    }
    if (size == 1) {
      // The rule for one rank: at the call, and nothing where it is in place.
      if (from.address() != to.address()) {
        on.copy(receive, send);
      }
      return;
    }
    long part = send.count() / size;
    long bytes = part * send.type().bytes();
    lockReady();
    try {
      end("ncclGroupStart", nccl.ncclGroupStart());
      for (int peer = 0; peer < size; peer++) {
        exchange(from.address() + peer * bytes, to.address() + peer * bytes, part, peer, send, on);
      }
      end("ncclGroupEnd", nccl.ncclGroupEnd());
    } finally {
      unlock();
    }
    finish();
  }

  private void exchange(long from, long to, long count, int peer, Buffer like, CudaStream on) {
    int type = NcclTypes.of(like.type());
    end("ncclSend", nccl.ncclSend(new Raw(from), count, type, peer, handle, on.pointer()));
    end("ncclRecv", nccl.ncclRecv(new Raw(to), count, type, peer, handle, on.pointer()));
  }

  @Override
  public void send(Buffer buffer, int peer, Stream stream) {
    CudaStream on = begin("send", stream);
    checkPeer("send", peer);
    Pointer from = memory("send", buffer);
    int type = NcclTypes.of(buffer.type());
    lockReady();
    try {
      end("ncclSend", nccl.ncclSend(from, buffer.count(), type, peer, handle, on.pointer()));
    } finally {
      unlock();
    }
    finish();
  }

  @Override
  public void receive(Buffer buffer, int peer, Stream stream) {
    CudaStream on = begin("receive", stream);
    checkPeer("receive", peer);
    Pointer to = memory("receive", buffer);
    int type = NcclTypes.of(buffer.type());
    lockReady();
    try {
      end("ncclRecv", nccl.ncclRecv(to, buffer.count(), type, peer, handle, on.pointer()));
    } finally {
      unlock();
    }
    finish();
  }

  // ---- around a call ----

  private CudaStream begin(String call, Stream stream) {
    CudaStream on = CudaStream.of(stream);
    if (on.device() != device) {
      throw wrong(call, "stream '" + on.label() + "' is of device " + on.device().ordinal());
    }
    on.enter();
    return on;
  }

  private Pointer memory(String call, Buffer buffer) {
    CudaBuffer cuda = CudaBuffer.of(buffer);
    cuda.checkUsable();
    if (cuda.kind() == Buffer.Kind.PAGEABLE) {
      throw wrong(call, "a buffer is pageable host memory");
    }
    return cuda.raw();
  }

  private void checkCounts(String call, long in, long out) {
    if (in != out) {
      throw wrong(call, in + " elements do not fit " + out + ", with " + size + " ranks");
    }
  }

  private void checkPeer(String call, int peer) {
    if (peer < 0 || peer >= size) {
      throw wrong(call, "there is no rank " + peer);
    }
  }

  private DeviceException wrong(String call, String what) {
    return new DeviceException(Reason.INVALID_ARGUMENT, call + " on " + label() + ": " + what);
  }

  private String label() {
    return "rank " + rank + " of communicator '" + name + "'";
  }

  /** Takes the lock with nothing in progress: NCCL allows no call while another is. */
  private void lockReady() {
    if (ThreadState.get().groupDepth == 0 && !awaitReady(launchTimeoutNanos)) {
      throw tooLate();
    }
    lock.lock();
    try {
      checkUsable();
    } catch (DeviceException e) {
      lock.unlock();
      throw e;
    }
    ThreadState state = ThreadState.get();
    if (state.groupDepth > 0) {
      groupOwner = Thread.currentThread();
      state.grouped.add(this);
    }
  }

  private void unlock() {
    if (abortWanted && groupOwner == null) {
      abortNow();
    }
    lock.unlock();
  }

  private void checkUsable() {
    DeviceException known = error.get();
    if (known != null) {
      throw new DeviceException(known.reason(), String.valueOf(known.getMessage()), known);
    }
  }

  private void end(String call, int code) {
    if (code != NcclFaults.SUCCESS && code != NcclFaults.IN_PROGRESS) {
      throw failed(code, call);
    }
  }

  /** The exception for a code; what breaks the communicator is kept. */
  private DeviceException failed(int code, String call) {
    String last = gone ? "" : Faults.string(nccl.ncclGetLastError(handle), "");
    DeviceException known =
        new DeviceException(
            NcclFaults.reason(code),
            NcclFaults.message(code, call + " on " + label(), NcclFaults.text(code), last));
    if (NcclFaults.reason(code) != Reason.INVALID_ARGUMENT) {
      error.compareAndSet(null, known);
    }
    return known;
  }

  private DeviceException tooLate() {
    return new DeviceException(
        Reason.TIMEOUT,
        "what was called on "
            + label()
            + " was not enqueued within "
            + launchTimeoutNanos / 1_000_000
            + " ms: another rank did not make the same call, or is gone");
  }

  private void finish() {
    if (ThreadState.get().groupDepth == 0) {
      awaitIfBlocking();
    }
  }

  /** For communicators that are to block: until NCCL says that the launch happened. */
  void awaitIfBlocking() {
    if (!nonBlocking) {
      if (!awaitReady(launchTimeoutNanos)) {
        throw tooLate();
      }
      checkUsable();
    }
  }

  /** The thread of the group has left NCCL. */
  void groupEnded() {
    lock.lock();
    try {
      groupOwner = null;
    } finally {
      unlock();
    }
  }

  // ---- state ----

  @Override
  public State state() {
    if (error.get() != null) {
      return State.FAILED;
    }
    lock.lock();
    try {
      if (gone) {
        return State.FAILED;
      }
      int code = nccl.ncclCommGetAsyncError(handle, asyncError);
      int progress = code == NcclFaults.SUCCESS ? asyncError[0] : code;
      if (progress == NcclFaults.SUCCESS) {
        return State.READY;
      }
      if (progress == NcclFaults.IN_PROGRESS) {
        return State.IN_PROGRESS;
      }
      // Even a wrong argument breaks it when it comes this late.
      error.compareAndSet(null, failed(progress, "ncclCommGetAsyncError"));
      return State.FAILED;
    } finally {
      unlock();
    }
  }

  /** Waits while something is in progress; whether it ended in time, well or not. */
  boolean awaitReady(long timeoutNanos) {
    long start = System.nanoTime();
    for (int polls = 0; state() == State.IN_PROGRESS; polls++) {
      if (System.nanoTime() - start > timeoutNanos) {
        return false;
      }
      if (polls < SPINS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(PAUSE);
      }
    }
    return true;
  }

  @Override
  public @Nullable DeviceException error() {
    return error.get();
  }

  @Override
  public void abort() {
    error.compareAndSet(
        null,
        new DeviceException(
            Reason.COMMUNICATOR, "communicator '" + name + "' was aborted on rank " + rank));
    abortWanted = true;
    Thread owner = groupOwner;
    if (owner != null && owner != Thread.currentThread()) {
      return;
    }
    lock.lock();
    try {
      abortNow();
    } finally {
      lock.unlock();
    }
  }

  private void abortNow() {
    if (!gone) {
      gone = true;
      device.enter();
      nccl.ncclCommAbort(handle);
    }
  }

  @Override
  public void close() {
    if (error.get() == null && awaitReady(launchTimeoutNanos)) {
      finalizeAndDestroy();
    } else {
      abort();
    }
    error.compareAndSet(
        null,
        new DeviceException(
            Reason.COMMUNICATOR, "communicator '" + name + "' was closed on rank " + rank));
  }

  private void finalizeAndDestroy() {
    lock.lock();
    try {
      if (gone) {
        return;
      }
      device.enter();
      end("ncclCommFinalize", nccl.ncclCommFinalize(handle));
    } finally {
      unlock();
    }
    if (!awaitReady(launchTimeoutNanos)) {
      abort();
      return;
    }
    lock.lock();
    try {
      if (!gone) {
        gone = true;
        nccl.ncclCommDestroy(handle);
      }
    } finally {
      lock.unlock();
    }
  }

  // ---- what it is ----

  @Override
  public String name() {
    return name;
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public CudaDevice device() {
    return device;
  }

  @Override
  public String toString() {
    return label();
  }
}
