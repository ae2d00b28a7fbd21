package dev.eddyline.device.conformance;

import dev.eddyline.device.Device;
import dev.eddyline.device.Event;
import dev.eddyline.device.Host;
import dev.eddyline.device.HostThread;
import dev.eddyline.device.Stream;
import dev.eddyline.device.conformance.StreamProgram.Gate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** One run of a program with one piece of its work held up, or none. */
final class Run {
  private static final long BLOCKED = 40_000_000;

  /** An end so long before the gate's was not held up by it. */
  private static final long APART = 20_000_000;

  private final Bench bench;
  private final StreamProgram program;
  private final @Nullable Gate gate;
  private final Host host;
  private final Calls calls;
  private final Map<Step, Event> ends = new LinkedHashMap<>();
  private final Event gateEnd;
  private final Map<String, Worker> workers = new HashMap<>();
  private final Map<Integer, Long> durations = new ConcurrentHashMap<>();
  private volatile long closedAt;
  private volatile @Nullable HostThread opener;

  Run(Bench bench, StreamProgram program, @Nullable Gate gate) {
    this.bench = bench;
    this.program = program;
    this.gate = gate;
    this.host = bench.platform.host();
    this.calls = new Calls(bench, program);
    for (Step step : program.steps()) {
      if (step.isWork()) {
        ends.put(step, deviceOf(step).createEvent("end " + step.number()));
      }
      if (!step.thread().isEmpty()) {
        workers.computeIfAbsent(step.thread(), name -> new Worker(host, name));
      }
    }
    this.gateEnd = (gate == null ? bench.device(0) : deviceOf(gate.work())).createEvent("gate");
  }

  private Device deviceOf(Step step) {
    return bench.device(step.stream().startsWith("o") ? 1 : 0);
  }

  Answer execute() {
    bench.closeGate();
    for (Step step : program.steps()) {
      if (step.thread().isEmpty()) {
        make(step);
      } else {
        Worker worker = workers.get(step.thread());
        if (worker != null) {
          worker.give(() -> make(step));
          if (!step.concurrent()) {
            worker.await();
          }
        }
      }
    }
    Set<Integer> held = new TreeSet<>(heldOnOtherDevices());
    workers.values().forEach(Worker::await);
    HostThread opening = opener;
    if (opening != null) {
      opening.join();
    }
    bench.platform.devices().forEach(Device::synchronize);
    held.addAll(heldOnSameDevice());
    Set<Integer> blocked = new TreeSet<>();
    durations.forEach(
        (number, nanos) -> {
          if (nanos >= BLOCKED) {
            blocked.add(number);
          }
        });
    close();
    return new Answer(program.name(), gate == null ? "" : gate.label(), held, blocked);
  }

  private void make(Step step) {
    Gate here = gate;
    if (here != null && here.before() == step.number()) {
      Stream stream = calls.stream(here.work().stream());
      bench.gate(stream);
      closedAt = host.nanoTime();
      stream.record(gateEnd);
      opener =
          host.start(
              "opens the gate",
              () -> {
                host.sleep(Bench.HELD_NANOS);
                bench.openGate();
              });
    }
    long start = host.nanoTime();
    calls.make(step);
    durations.put(step.number(), host.nanoTime() - start);
    for (Map.Entry<Step, Event> end : ends.entrySet()) {
      if (program.enqueuedBy(end.getKey()) == step.number()) {
        calls.stream(end.getKey().stream()).record(end.getValue());
      }
    }
  }

  /** Times of two devices cannot be compared: looks while the gate is closed. */
  private Set<Integer> heldOnOtherDevices() {
    Set<Integer> held = new TreeSet<>();
    Gate here = gate;
    List<Step> others = new ArrayList<>();
    for (Step step : ends.keySet()) {
      if (here != null && deviceOf(step) != deviceOf(here.work())) {
        others.add(step);
      }
    }
    if (others.isEmpty()) {
      return held;
    }
    long left = Bench.HELD_NANOS / 2 - (host.nanoTime() - closedAt);
    if (left > 0) {
      host.sleep(left);
    }
    for (Step step : others) {
      Event end = ends.get(step);
      if (end != null && !end.isDone()) {
        held.add(step.number());
      }
    }
    return held;
  }

  private Set<Integer> heldOnSameDevice() {
    Set<Integer> held = new TreeSet<>();
    Gate here = gate;
    if (here == null) {
      return held;
    }
    ends.forEach(
        (step, end) -> {
          if (deviceOf(step) == deviceOf(here.work()) && end.nanosSince(gateEnd) > -APART) {
            held.add(step.number());
          }
        });
    return held;
  }

  private void close() {
    workers.values().forEach(Worker::stop);
    ends.values().forEach(Event::close);
    gateEnd.close();
    calls.close();
  }
}
