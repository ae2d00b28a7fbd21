package dev.eddyline.device.sim;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.Communicator;
import dev.eddyline.device.CommunicatorOptions;
import dev.eddyline.device.Device;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.ReduceOp;
import dev.eddyline.device.Stream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A communicator of one rank. */
final class SimCommunicator implements Communicator {
  final CommunicatorCore core;
  final SimProcess process;
  final SimDevice device;
  final boolean nonBlocking;
  private final int rank;
  private final Map<CollectiveKind, Long> sequences = new EnumMap<>(CollectiveKind.class);
  private final List<Launch> running = new ArrayList<>();
  private final Launcher launcher;
  private int pendingLaunches;
  private @Nullable DeviceException error;
  private boolean aborted;

  SimCommunicator(CommunicatorCore core, SimDevice device, int rank, CommunicatorOptions options) {
    this.core = core;
    this.device = device;
    this.process = device.process;
    this.rank = rank;
    this.nonBlocking = options.nonBlocking();
    this.launcher = new Launcher(this);
  }

  /** All ranks are there. */
  void joined() {
    process.communicators.add(this);
    if (core.size > 1) {
      launcher.prepare();
    }
  }

  // ---- calls ----

  private void call(
      CollectiveKind kind,
      @Nullable Buffer send,
      @Nullable Buffer receive,
      ReduceOp op,
      int peer,
      Stream stream) {
    SimStream on = SimStream.of(stream);
    SimThread thread = on.enter();
    checkUsable();
    if (on.device() != device) {
      throw wrong(kind, "stream '" + on.label() + "' is of device " + on.device().ordinal());
    }
    CollectiveCall call =
        new CollectiveCall(
            this, kind, usable(kind, send), usable(kind, receive), op, peer, on, thread.now);
    checkCounts(call);
    call.sequence = sequences.merge(kind, 1L, Long::sum) - 1;
    call.described = process.recorder.takeDescribed(thread);
    thread.spend(Costs.COLLECTIVE);
    if (core.size == 1 && !kind.isPointToPoint()) {
      runAlone(thread, call);
    } else if (thread.groupDepth > 0) {
      thread.group.add(call);
    } else {
      submit(thread, List.of(call));
    }
  }

  private void checkUsable() {
    DeviceException known = error;
    if (known != null) {
      throw new DeviceException(known.reason(), String.valueOf(known.getMessage()), known);
    }
  }

  private @Nullable SimBuffer usable(CollectiveKind kind, @Nullable Buffer buffer) {
    if (buffer == null) {
      return null;
    }
    SimBuffer sim = SimBuffer.of(buffer);
    sim.checkUsable();
    if (sim.kind() == Buffer.Kind.PAGEABLE) {
      throw wrong(kind, "a buffer is pageable host memory");
    }
    return sim;
  }

  private DeviceException wrong(CollectiveKind kind, String what) {
    return new DeviceException(
        Reason.INVALID_ARGUMENT,
        CommunicatorCore.words(kind)
            + " on rank "
            + rank
            + " of communicator '"
            + core.name
            + "': "
            + what);
  }

  private void checkCounts(CollectiveCall call) {
    long in = call.countIn();
    long out = call.countOut();
    boolean right =
        switch (call.kind) {
          case ALL_REDUCE, ALL_TO_ALL -> in == out;
          case ALL_GATHER -> out == in * core.size;
          case REDUCE_SCATTER -> in == out * core.size;
          case BROADCAST, REDUCE -> call.send == null || call.receive == null || in == out;
          case SEND, RECEIVE -> true;
        };
    if (!right || call.kind == CollectiveKind.ALL_TO_ALL && in % core.size != 0) {
      throw wrong(
          call.kind,
          in
              + " elements go in and "
              + out
              + " come out, which does not fit "
              + core.size
              + " ranks");
    }
    if (call.peer >= core.size || call.peer < -1) {
      throw wrong(call.kind, "there is no rank " + call.peer);
    }
  }

  /** With one rank a collective runs at the call: a copy, or nothing where it is in place. */
  private void runAlone(SimThread thread, CollectiveCall call) {
    SimBuffer from = call.send;
    SimBuffer to = call.receive;
    long correlation = -1;
    if (from != null && to != null && from.address() != to.address()) {
      Transfers.copy(call.stream, thread, thread.enter(), to, from, false);
      correlation = process.lastCorrelation();
    }
    process.recorder.collective(thread, call, correlation);
  }

  /** Launches calls of this communicator as one kernel, now or soon. */
  void submit(SimThread thread, List<CollectiveCall> calls) {
    if (!nonBlocking) {
      launcher.launch(thread, calls);
      return;
    }
    pendingLaunches++;
    process.living++;
    Due later =
        new Due() {
          @Override
          void fire() {
            if (!process.isDead() && !aborted && device.lock.defers(this)) {
              return;
            }
            pendingLaunches--;
            process.living--;
            if (!process.isDead() && !aborted) {
              SimThread own = process.libraryThread();
              own.now = Math.max(core.world.now, process.lastCallEnd) + 1;
              launcher.launch(own, calls);
            }
          }
        };
    core.world.at(thread.now + core.world.schedule.duration(Launcher.DELAY), later);
  }

  void launched(Launch launch) {
    running.removeIf(other -> other.item.done);
    running.add(launch);
  }

  @Override
  public void allReduce(Buffer send, Buffer receive, ReduceOp op, Stream stream) {
    call(CollectiveKind.ALL_REDUCE, send, receive, op, -1, stream);
  }

  @Override
  public void allGather(Buffer send, Buffer receive, Stream stream) {
    call(CollectiveKind.ALL_GATHER, send, receive, ReduceOp.SUM, -1, stream);
  }

  @Override
  public void reduceScatter(Buffer send, Buffer receive, ReduceOp op, Stream stream) {
    call(CollectiveKind.REDUCE_SCATTER, send, receive, op, -1, stream);
  }

  @Override
  public void broadcast(Buffer send, Buffer receive, int root, Stream stream) {
    Buffer sent = rank == root ? send : null;
    call(CollectiveKind.BROADCAST, sent, receive, ReduceOp.SUM, root, stream);
  }

  @Override
  public void reduce(Buffer send, Buffer receive, ReduceOp op, int root, Stream stream) {
    call(CollectiveKind.REDUCE, send, rank == root ? receive : null, op, root, stream);
  }

  @Override
  public void allToAll(Buffer send, Buffer receive, Stream stream) {
    call(CollectiveKind.ALL_TO_ALL, send, receive, ReduceOp.SUM, -1, stream);
  }

  @Override
  public void send(Buffer buffer, int peer, Stream stream) {
    call(CollectiveKind.SEND, buffer, null, ReduceOp.SUM, peer, stream);
  }

  @Override
  public void receive(Buffer buffer, int peer, Stream stream) {
    call(CollectiveKind.RECEIVE, null, buffer, ReduceOp.SUM, peer, stream);
  }

  // ---- state ----

  void fail(String why) {
    if (error == null) {
      error = new DeviceException(Reason.COMMUNICATOR, why);
    }
  }

  @Override
  public State state() {
    SimThread thread = SimThread.current();
    thread.enter();
    thread.spend(Costs.QUERY);
    core.world.see(thread);
    if (error != null) {
      return State.FAILED;
    }
    return pendingLaunches > 0 ? State.IN_PROGRESS : State.READY;
  }

  @Override
  public @Nullable DeviceException error() {
    SimThread thread = SimThread.current();
    core.world.see(thread);
    return error;
  }

  @Override
  public void abort() {
    SimThread thread = SimThread.current();
    thread.enter();
    thread.spend(Costs.JOIN);
    core.world.see(thread);
    if (aborted) {
      return;
    }
    aborted = true;
    fail("communicator '" + core.name + "' was aborted on rank " + rank);
    List<Launch> left = List.copyOf(running);
    running.clear();
    for (Launch launch : left) {
      if (!launch.item.done) {
        launch.abort(core.world.now);
      }
    }
  }

  @Override
  public void close() {
    fail("communicator '" + core.name + "' was closed on rank " + rank);
  }

  @Override
  public String name() {
    return core.name;
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return core.size;
  }

  @Override
  public Device device() {
    return device;
  }
}
