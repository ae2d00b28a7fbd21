package dev.eddyline.device.sim;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Launches kernels as NCCL does: each waits for the communicator's last one, whatever its stream,
 * by an event on a stream of the communicator's own; and all streams that were named in one group
 * wait for its kernel and it for them.
 *
 * <pre>
 *   record(scratch, own)  wait(user, scratch)   kernel on user   record(scratch, user)  wait(own, scratch)
 * </pre>
 */
final class Launcher {
  /** How long after a group end a non-blocking communicator launches. */
  static final long DELAY = 40_000;

  private static final int BLOCK_THREADS = 544;
  private static final int THREADS_OF_ONE = 2048;

  private final SimCommunicator communicator;
  private final World world;
  private @Nullable SimStream own;
  private @Nullable SimEvent scratch;
  private @Nullable Item last;

  Launcher(SimCommunicator communicator) {
    this.communicator = communicator;
    this.world = communicator.core.world;
  }

  /** Makes the communicator's own stream and event. */
  void prepare() {
    if (!world.options.ncclInternal()) {
      return;
    }
    SimDevice device = communicator.device;
    SimStream stream = device.makeStream(SimStream.Flags.NON_BLOCKING, "", 0);
    own = stream;
    scratch = device.makeEvent("");
    communicator.process.recorder.role(SimThread.current().now, stream.recorded, "nccl-internal");
  }

  /** Launches calls of one communicator as one kernel, on the stream of the first. */
  void launch(SimThread thread, List<CollectiveCall> calls) {
    SimStream stream = calls.get(0).stream;
    Set<SimStream> others = new LinkedHashSet<>();
    calls.forEach(call -> others.add(call.stream));
    others.remove(stream);
    SimStream mine = own;
    SimEvent event = scratch;
    if (mine == null || event == null) {
      Item item = kernel(thread, stream, calls, others);
      for (SimStream other : others) {
        Item behind = new Item(other, Item.Kind.WAIT, thread.now);
        behind.after(item);
        other.enqueue(behind);
      }
      return;
    }
    step(thread);
    mine.record(thread, event, Api.EVENT_RECORD);
    step(thread);
    stream.waitFor(thread, event, Api.STREAM_WAIT_EVENT);
    for (SimStream other : others) {
      step(thread);
      other.record(thread, event, Api.EVENT_RECORD);
      step(thread);
      stream.waitFor(thread, event, Api.STREAM_WAIT_EVENT);
    }
    step(thread);
    stream.device.lock.pass(thread, DriverLock.Use.ENQUEUE, Api.LAUNCH_KERNEL_EX);
    kernel(thread, stream, calls, Set.of());
    step(thread);
    stream.record(thread, event, Api.EVENT_RECORD);
    step(thread);
    mine.waitFor(thread, event, Api.STREAM_WAIT_EVENT);
    for (SimStream other : others) {
      step(thread);
      other.waitFor(thread, event, Api.STREAM_WAIT_EVENT);
    }
  }

  /** The next call begins later than the one before. */
  private static void step(SimThread thread) {
    thread.now++;
  }

  private Item kernel(
      SimThread thread, SimStream stream, List<CollectiveCall> calls, Set<SimStream> before) {
    SimProcess process = communicator.process;
    long start = thread.now;
    thread.spend(Costs.LAUNCH);
    Item item = new Item(stream, Item.Kind.COLLECTIVE, thread.now + Costs.START_LATENCY);
    item.correlation = process.nextCorrelation();
    item.name = process.recorder.name(calls.get(0).kernelName());
    int blocks = world.options.collectiveBlocks();
    int perOne = THREADS_OF_ONE / BLOCK_THREADS;
    item.demand = Math.min(world.options.multiprocessors(), Math.max(1, blocks / perOne));
    item.facts = OpFacts.kernel(blocks, BLOCK_THREADS);
    Launch launch = new Launch(item, List.copyOf(calls));
    item.launch = launch;
    item.after(last);
    before.forEach(other -> item.after(other.tail));
    last = item;
    communicator.launched(launch);
    stream.enqueue(item);
    process.recorder.call(thread, start, thread.now, Api.LAUNCH_KERNEL_EX, item.correlation, 0);
    for (CollectiveCall call : calls) {
      process.recorder.collective(thread, call, item.correlation);
      Accesses accesses = Accesses.collective(call);
      process.recorder.memory.op(thread, start, stream, item.correlation, accesses);
    }
    return item;
  }

  /** Calls of a group by communicator, in the order of their first calls. */
  static List<List<CollectiveCall>> byCommunicator(List<CollectiveCall> calls) {
    List<List<CollectiveCall>> groups = new ArrayList<>();
    for (CollectiveCall call : calls) {
      List<CollectiveCall> same = null;
      for (List<CollectiveCall> group : groups) {
        if (group.get(0).communicator == call.communicator) {
          same = group;
        }
      }
      if (same == null) {
        same = new ArrayList<>();
        groups.add(same);
      }
      same.add(call);
    }
    return groups;
  }
}
