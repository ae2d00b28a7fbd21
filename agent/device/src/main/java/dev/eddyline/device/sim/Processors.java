package dev.eddyline.device.sim;

import java.util.ArrayList;
import java.util.List;

/**
 * The multiprocessors of a device. A kernel asks for as many as its blocks need; it starts when a
 * quarter of that is free and takes what there is, running as much longer as it got less. So a
 * kernel that fills the device keeps others out, which is "device busy", and a small one slows the
 * next.
 */
final class Processors {
  private static final int LEAST_PART = 4;
  private static final int THREADS_OF_ONE = 2048;
  private static final int MOST_BLOCKS_OF_ONE = 32;

  private final World world;
  private final int all;
  private int free;
  private long arrivals;
  private final List<Item> waiting = new ArrayList<>();

  Processors(World world, int all) {
    this.world = world;
    this.all = all;
    this.free = all;
  }

  /** How many multiprocessors a grid asks for. */
  int demand(long blocks, int threads) {
    int together = Math.max(1, Math.min(MOST_BLOCKS_OF_ONE, THREADS_OF_ONE / threads));
    return (int) Math.min(all, (blocks + together - 1) / together);
  }

  void request(Item item, long now) {
    item.order = arrivals++;
    if (waiting.isEmpty() && fits(item)) {
      start(item, now);
    } else {
      waiting.add(item);
      startWaiting(now);
    }
  }

  private boolean fits(Item item) {
    return free >= Math.max(1, (item.demand + LEAST_PART - 1) / LEAST_PART);
  }

  /**
   * Starts what can start: by priority, then as it came. Who comes first does not let those behind
   * it pass, or a large kernel might never start.
   */
  private void startWaiting(long now) {
    while (!waiting.isEmpty()) {
      int best = 0;
      for (int i = 1; i < waiting.size(); i++) {
        if (isBefore(waiting.get(i), waiting.get(best))) {
          best = i;
        }
      }
      if (waiting.size() > 1 && world.schedule.varies()) {
        best = equal(best);
      }
      if (!fits(waiting.get(best))) {
        return;
      }
      start(waiting.remove(best), now);
    }
  }

  /** Another of the same priority, as the schedule likes. */
  private int equal(int best) {
    int pick = world.schedule.pick(waiting.size());
    boolean same = waiting.get(pick).stream.priority() == waiting.get(best).stream.priority();
    return same && fits(waiting.get(pick)) ? pick : best;
  }

  private static boolean isBefore(Item a, Item b) {
    int priority = a.stream.priority();
    int other = b.stream.priority();
    return priority != other ? priority < other : a.order < b.order;
  }

  private void start(Item item, long now) {
    item.held = Math.min(item.demand, free);
    free -= item.held;
    item.started = true;
    item.startAt = now;
    if (item.launch != null) {
      item.launch.started(now);
      return;
    }
    if (item.body != null && world.schedule.otherWay()) {
      item.runBody();
    }
    world.at(now + Math.max(1, item.cost * item.demand / item.held), item);
  }

  /** The op has ended. */
  void end(Item item, long now) {
    item.runBody();
    free += item.held;
    item.complete(now);
    startWaiting(now);
  }
}
