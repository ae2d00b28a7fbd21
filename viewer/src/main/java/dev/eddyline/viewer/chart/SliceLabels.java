package dev.eddyline.viewer.chart;

import dev.eddyline.viewer.paint.FontWidths;
import dev.eddyline.viewer.paint.Painter;
import dev.eddyline.viewer.track.Track;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects slices that have room for words and writes them on the widest. */
final class SliceLabels {
  private static final double TEXT = 11;
  private static final double PADDING = 4;

  private record Slot(
      Track track,
      int item,
      double x,
      double width,
      double top,
      double height,
      int argb,
      int behind) {}

  private final int most;
  private final List<Slot> slots = new ArrayList<>();

  SliceLabels(int most) {
    this.most = most;
  }

  /**
   * Remembers a slice.
   *
   * @param behind colour to put behind the words where a pattern would disturb, 0 for none
   */
  void add(
      Track track,
      int item,
      double x,
      double width,
      double top,
      double height,
      int argb,
      int behind) {
    slots.add(new Slot(track, item, x, width, top, height, argb, behind));
  }

  /** Writes the words and forgets the slices. */
  void paint(ChartInput in, Painter painter) {
    List<Slot> chosen = slots;
    if (slots.size() > most) {
      chosen = new ArrayList<>(slots);
      chosen.sort(Comparator.comparingDouble(slot -> -slot.width()));
      chosen = chosen.subList(0, most);
    }
    for (Slot slot : chosen) {
      String whole = Labels.of(in.model(), slot.track(), slot.item());
      String text = FontWidths.get().fit(whole, TEXT, slot.width() - 2 * PADDING);
      if (text.isEmpty()) {
        continue;
      }
      double base = slot.top() + (slot.height() + TEXT) / 2 - 1.5;
      if (slot.behind() != 0) {
        double width = FontWidths.get().width(text, TEXT);
        painter.fill(
            slot.x() + PADDING - 2, slot.top() + 2, width + 4, slot.height() - 4, slot.behind());
      }
      painter.text(slot.x() + PADDING, base, TEXT, text, slot.argb());
    }
    slots.clear();
  }
}
