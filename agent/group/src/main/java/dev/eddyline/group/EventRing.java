package dev.eddyline.group;

import dev.eddyline.device.Device;
import dev.eddyline.device.Event;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Events of works. A work keeps its event as long as somebody could wait for it; when many are out,
 * the event of the oldest is used again, if that is known to be done. Whoever waits for the old
 * work meanwhile waits for a later record, or not at all: both are right, for the work is done.
 */
final class EventRing {
  private static final int MOST = 1024;
  private final Device device;
  private final ArrayDeque<Work> works = new ArrayDeque<>();

  EventRing(Device device) {
    this.device = device;
  }

  Event take() {
    Event used = ofOldest();
    return used != null ? used : device.createEvent();
  }

  private synchronized @Nullable Event ofOldest() {
    Work oldest = works.size() < MOST ? null : works.peek();
    Event event = oldest == null ? null : oldest.retire();
    if (event != null) {
      works.remove();
    }
    return event;
  }

  synchronized void add(Work work) {
    works.add(work);
  }
}
