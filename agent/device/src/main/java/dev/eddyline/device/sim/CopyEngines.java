package dev.eddyline.device.sim;

import java.util.ArrayDeque;

/** The copy engines of a device: one for each direction, one copy at a time in each. */
final class CopyEngines {
  static final int TO_DEVICE = 0;
  static final int TO_HOST = 1;
  static final int ON_DEVICE = 2;

  private final World world;
  private final Engine[] engines = {new Engine(), new Engine(), new Engine()};

  private static final class Engine {
    private boolean busy;
    private final ArrayDeque<Item> waiting = new ArrayDeque<>();
  }

  CopyEngines(World world) {
    this.world = world;
  }

  void request(Item item, long now) {
    Engine engine = engines[item.demand];
    if (engine.busy) {
      engine.waiting.add(item);
    } else {
      start(engine, item, now);
    }
  }

  private void start(Engine engine, Item item, long now) {
    engine.busy = true;
    item.started = true;
    item.startAt = now;
    if (world.schedule.otherWay()) {
      item.runBody();
    }
    world.at(now + Math.max(1, item.cost), item);
  }

  void end(Item item, long now) {
    item.runBody();
    Engine engine = engines[item.demand];
    engine.busy = false;
    item.complete(now);
    Item next = engine.waiting.poll();
    if (next != null) {
      start(engine, next, now);
    }
  }
}
