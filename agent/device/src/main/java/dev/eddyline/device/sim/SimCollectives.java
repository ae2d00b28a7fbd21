package dev.eddyline.device.sim;

import dev.eddyline.device.Collectives;
import dev.eddyline.device.Communicator;
import dev.eddyline.device.CommunicatorOptions;
import dev.eddyline.device.Device;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.trace.RecordType;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The collective library of a simulated job; one for all its ranks. */
final class SimCollectives implements Collectives {
  private final World world;
  private final Map<String, CommunicatorCore> cores = new HashMap<>();
  private final SimSignal joined = new SimSignal();
  private int ids;

  SimCollectives(World world) {
    this.world = world;
  }

  @Override
  public byte[] createId() {
    SimThread.current().enter();
    return ("sim-" + ids++).getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public Communicator join(
      String name, byte[] id, int size, int rank, Device device, CommunicatorOptions options) {
    SimThread thread = SimThread.current();
    if (!(device instanceof SimDevice sim) || sim.process != thread.process) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT,
          thread.describe() + " joins '" + name + "' with " + device + ", not a device of its own");
    }
    if (rank < 0 || rank >= size) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT, "rank " + rank + " of a communicator of " + size);
    }
    sim.enter(thread);
    world.see(thread);
    String key = new String(id, StandardCharsets.US_ASCII);
    CommunicatorCore core =
        cores.computeIfAbsent(key, k -> new CommunicatorCore(world, name, cores.size(), size));
    if (core.size != size || !core.name.equals(name)) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT,
          thread.describe()
              + " joins '"
              + name
              + "' of "
              + size
              + ", others '"
              + core.name
              + "' of "
              + core.size);
    }
    SimCommunicator communicator = new SimCommunicator(core, sim, rank, options);
    if (!core.join(communicator)) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT, "rank " + rank + " of '" + name + "' is there already");
    }
    joined.wake();
    if (!joined.await(core::isComplete, options.joinTimeoutNanos())) {
      throw new DeviceException(
          Reason.TIMEOUT,
          thread.describe()
              + " waited "
              + Diagnosis.ms(options.joinTimeoutNanos())
              + " for the ranks "
              + core.missing()
              + " of communicator '"
              + name
              + "'");
    }
    thread.spend(Costs.JOIN);
    communicator.joined();
    return communicator;
  }

  @Override
  public void groupStart() {
    SimThread thread = SimThread.current();
    thread.enter();
    thread.openGroups.push(new SimThread.OpenGroup(thread.now, thread.group.size()));
    thread.spend(Costs.GROUP);
    thread.groupDepth++;
  }

  @Override
  public void groupEnd() {
    SimThread thread = SimThread.current();
    thread.enter();
    long start = thread.now;
    thread.spend(Costs.GROUP);
    if (thread.groupDepth == 0) {
      throw new DeviceException(
          Reason.INVALID_ARGUMENT, thread.describe() + " ends a group that it did not begin");
    }
    int depth = thread.groupDepth--;
    SimThread.OpenGroup group = thread.openGroups.pop();
    int called = thread.group.size() - group.callsBefore();
    long launched = RecordType.NONE;
    if (depth == 1) {
      List<CollectiveCall> calls = List.copyOf(thread.group);
      thread.group.clear();
      long before = thread.process.lastCorrelation();
      for (List<CollectiveCall> each : Launcher.byCommunicator(calls)) {
        each.get(0).communicator.submit(thread, each);
      }
      launched = launchOf(calls, before);
    }
    thread.process.recorder.group(thread, group.start(), start, depth, called, launched);
  }

  /** Correlation of the launch that calls were made into; none if that comes later. */
  private static long launchOf(List<CollectiveCall> calls, long before) {
    for (CollectiveCall call : calls) {
      Launch launch = call.launch;
      if (launch != null && launch.item.correlation > before) {
        return launch.item.correlation;
      }
    }
    return RecordType.NONE;
  }
}
