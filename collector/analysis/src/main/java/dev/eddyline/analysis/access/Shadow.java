package dev.eddyline.analysis.access;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Who used each part of the memory of one process and was not yet followed by a later write. */
final class Shadow {
  /** Per part of memory; beyond that the oldest is forgotten. */
  private static final int MOST = 64;

  /** Compares two uses of the same bytes, the earlier one first; whether they are ordered. */
  interface Comparer {
    boolean areOrdered(Touch before, Touch after);
  }

  private static final class Part {
    private final long end;
    private final List<Touch> touches;

    Part(long end, List<Touch> touches) {
      this.end = end;
      this.touches = touches;
    }
  }

  private final TreeMap<Long, Part> parts = new TreeMap<>();

  /** Compares a use with those before it, and keeps it. */
  void add(Touch touch, Comparer comparer) {
    split(touch.begin);
    split(touch.end);
    long at = touch.begin;
    List<Map.Entry<Long, Part>> covered =
        new ArrayList<>(parts.subMap(touch.begin, touch.end).entrySet());
    for (Map.Entry<Long, Part> entry : covered) {
      if (at < entry.getKey()) {
        parts.put(at, new Part(entry.getKey(), new ArrayList<>(List.of(touch))));
      }
      at = entry.getValue().end;
      visit(entry.getValue().touches, touch, comparer);
    }
    if (at < touch.end) {
      parts.put(at, new Part(touch.end, new ArrayList<>(List.of(touch))));
    }
  }

  private static void visit(List<Touch> touches, Touch touch, Comparer comparer) {
    for (Touch before : touches) {
      if (before.compared != touch) {
        before.compared = touch;
        before.ordered = comparer.areOrdered(before, touch);
      }
    }
    boolean writes = touch.writes();
    touches.removeIf(
        before ->
            writes && before.ordered
                || !writes
                    && !before.writes()
                    && before.stream == touch.stream
                    && before.thread == touch.thread
                    && before.kind == touch.kind);
    if (touches.size() == MOST) {
      touches.remove(0);
    }
    touches.add(touch);
  }

  /** The uses of a block that are kept. */
  List<Touch> of(long begin, long end) {
    List<Touch> found = new ArrayList<>();
    Map.Entry<Long, Part> before = parts.lowerEntry(begin);
    if (before != null && before.getValue().end > begin) {
      found.addAll(before.getValue().touches);
    }
    for (Part part : parts.subMap(begin, end).values()) {
      for (Touch touch : part.touches) {
        if (!found.contains(touch)) {
          found.add(touch);
        }
      }
    }
    return found;
  }

  private void split(long address) {
    Map.Entry<Long, Part> entry = parts.lowerEntry(address);
    if (entry == null || entry.getValue().end <= address) {
      return;
    }
    Part whole = entry.getValue();
    parts.put(entry.getKey(), new Part(address, whole.touches));
    parts.put(address, new Part(whole.end, new ArrayList<>(whole.touches)));
  }
}
