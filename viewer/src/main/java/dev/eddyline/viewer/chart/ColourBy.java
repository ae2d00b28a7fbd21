package dev.eddyline.viewer.chart;

import java.util.List;
import java.util.Locale;

/** What the colour of an op stands for. */
public enum ColourBy {
  KIND("kind: compute, communication, copy"),
  NAME("name"),
  STREAM("stream"),
  RANK("rank"),
  COMMUNICATOR("communicator"),
  DURATION("duration");

  private final String title;

  ColourBy(String title) {
    this.title = title;
  }

  /** In words. */
  public String title() {
    return title;
  }

  /** The one after this; the first after the last. */
  public ColourBy next() {
    List<ColourBy> all = List.of(values());
    return all.get((all.indexOf(this) + 1) % all.size());
  }

  /** The word in session files and on the command line. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
