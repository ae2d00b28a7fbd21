package dev.eddyline.viewer.model;

import dev.eddyline.viewer.track.Track;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which rows the user wants to see and how. Mutable; belongs to the thread that draws. {@link
 * Rows#of} makes a layout of it.
 */
public final class RowState {
  private static final double LEAST_SCALE = 0.15;
  private static final double MOST_SCALE = 4;

  private final Set<Integer> hidden = new TreeSet<>();
  private final Set<Integer> pinned = new TreeSet<>();
  private final Set<Integer> collapsed = new TreeSet<>();
  private final Set<Integer> expanded = new TreeSet<>();
  private final Set<Integer> solo = new TreeSet<>();
  private boolean all;
  private String filter = "";
  private double scale = 1;

  /** Rows that are hidden by hand. */
  public Set<Integer> hidden() {
    return hidden;
  }

  /** Rows that stay on top. */
  public Set<Integer> pinned() {
    return pinned;
  }

  /** Processes whose rows are folded away. */
  public Set<Integer> collapsed() {
    return collapsed;
  }

  /** Rows that show all their lanes. */
  public Set<Integer> expanded() {
    return expanded;
  }

  /** Where not empty: the only rows to show. */
  public Set<Integer> solo() {
    return solo;
  }

  /** Whether rows are shown that are not in sight at first: watchdogs, queries. */
  public boolean showsAll() {
    return all;
  }

  /** Shows or folds away what is not in sight at first. */
  public void showAll(boolean show) {
    all = show;
  }

  /** Words that a row's label must hold, "" for any. */
  public String filter() {
    return filter;
  }

  /** Sets the words that a row's label must hold. */
  public void filter(String words) {
    filter = words.strip();
  }

  /** How high rows are, 1 by default. */
  public double scale() {
    return scale;
  }

  /** Sets how high rows are. */
  public void scale(double factor) {
    scale = Math.max(LEAST_SCALE, Math.min(MOST_SCALE, factor));
  }

  /** Adds to a set what is not in it, and takes out what is. */
  public static void toggle(Set<Integer> set, int track) {
    if (!set.remove(track)) {
      set.add(track);
    }
  }

  /** Whether something is left out or changed that "show everything again" would undo. */
  public boolean isFiltered() {
    return !hidden.isEmpty() || !solo.isEmpty() || !filter.isEmpty();
  }

  /** Forgets what is hidden, solo and filtered. */
  public void clearFilters() {
    hidden.clear();
    solo.clear();
    filter = "";
  }

  boolean shows(Track track) {
    if (hidden.contains(track.index()) || collapsed.contains(track.parent())) {
      return false;
    }
    if (!solo.isEmpty() && !solo.contains(track.index()) && track.kind() != Track.Kind.PROCESS) {
      return false;
    }
    if (!filter.isEmpty() && track.kind() != Track.Kind.PROCESS) {
      String text = (track.label() + " " + track.note()).toLowerCase(Locale.ROOT);
      if (!text.contains(filter.toLowerCase(Locale.ROOT))) {
        return false;
      }
    }
    return all || track.atFirst() || solo.contains(track.index());
  }
}
