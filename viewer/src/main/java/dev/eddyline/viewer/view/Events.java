package dev.eddyline.viewer.view;

import dev.eddyline.viewer.chart.Labels;
import dev.eddyline.viewer.model.Rows;
import dev.eddyline.viewer.model.Selection;
import dev.eddyline.viewer.model.Span;
import dev.eddyline.viewer.model.TraceModel;
import dev.eddyline.viewer.track.Lane;
import dev.eddyline.viewer.track.Track;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The slices in view as a table: the way to read a trace without seeing it. */
public final class Events {
  /** So many lines at most. */
  public static final int MOST = 5000;

  /**
   * One slice.
   *
   * @param row label of its row
   * @param name name and duration
   * @param startNs when it begins
   * @param durationNs how long it lasts
   * @param selection to select it
   */
  public record Event(
      String row, String name, long startNs, long durationNs, Selection selection) {}

  private Events() {}

  /** The slices of the shown rows in a span, in order of time; the first {@link #MOST} of each. */
  public static List<Event> in(TraceModel model, Rows rows, Span span) {
    List<Event> events = new ArrayList<>();
    for (int place = 0; place < rows.size(); place++) {
      Track track = rows.track(place);
      for (Lane lane : track.lanes()) {
        int first = lane.firstEndingAfter(span.startNs());
        for (int i = first; i < lane.size() && i - first < MOST; i++) {
          if (lane.start(i) >= span.endNs()) {
            break;
          }
          int item = lane.item(i);
          events.add(
              new Event(
                  track.label(),
                  Labels.of(model, track, item),
                  lane.start(i),
                  lane.end(i) - lane.start(i),
                  Navigation.selection(track, item)));
        }
      }
    }
    events.sort(Comparator.comparingLong(Event::startNs));
    return events.size() > MOST ? events.subList(0, MOST) : events;
  }
}
