package dev.eddyline.group;

import dev.eddyline.device.Device;
import dev.eddyline.device.Host;
import dev.eddyline.device.Signal;

/** What the works of a group share. For any number of threads. */
final class GroupContext {
  private final Device device;
  private final Host host;
  private final EventRing events;
  private final Watcher watcher;
  private final ContinuationThread continuations;
  private final Signal changed;

  GroupContext(Device device, Host host, String name) {
    this.device = device;
    this.host = host;
    this.events = new EventRing(device);
    this.watcher = new Watcher(host, "eddyline-watch-" + name);
    this.continuations = new ContinuationThread(host, "eddyline-continue-" + name);
    this.changed = host.signal();
  }

  Device device() {
    return device;
  }

  Host host() {
    return host;
  }

  EventRing events() {
    return events;
  }

  ContinuationThread continuations() {
    return continuations;
  }

  /** Woken when a continuation has run. */
  Signal changed() {
    return changed;
  }

  /** The watcher looks after a work from now on. */
  void track(Work work) {
    events.add(work);
    watcher.add(work);
  }

  /** Somebody wants to know soon when a work is done. */
  void hurry() {
    watcher.hurry();
  }

  void close() {
    watcher.close();
    continuations.close();
  }
}
