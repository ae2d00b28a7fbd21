package dev.eddyline.viewer.model;

import dev.eddyline.viewer.track.Track;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where each row that is shown stands, in pixels from the top; pinned rows first. Only rows in view
 * are ever painted. Immutable.
 */
public final class Rows {
  private static final int LANES_AT_FIRST = 3;
  private static final double LANE = 18;
  private static final double SMALL_LANE = 14;
  private static final double GAP = 3;

  private final List<Track> shown;
  private final int pinned;
  private final double[] top;
  private final int[] lanes;
  private final double[] laneHeight;
  private final int[] placeOfTrack;

  private Rows(List<Track> shown, int pinned, int tracks, RowState state) {
    this.shown = shown;
    this.pinned = pinned;
    top = new double[shown.size() + 1];
    lanes = new int[shown.size()];
    laneHeight = new double[shown.size()];
    placeOfTrack = new int[tracks];
    Arrays.fill(placeOfTrack, -1);
    for (int i = 0; i < shown.size(); i++) {
      Track track = shown.get(i);
      placeOfTrack[track.index()] = i;
      boolean whole = state.expanded().contains(track.index());
      int count = Math.max(1, track.lanes().size());
      lanes[i] = whole ? count : Math.min(count, LANES_AT_FIRST);
      laneHeight[i] = Math.max(3, Math.round(base(track) * state.scale()));
      double gap = laneHeight[i] > 6 ? GAP : 1;
      top[i + 1] = top[i] + lanes[i] * laneHeight[i] + gap;
    }
  }

  private static double base(Track track) {
    return switch (track.kind()) {
      case RANGES, OVERLAP, POLLS -> SMALL_LANE;
      default -> LANE;
    };
  }

  /** Lays out rows. */
  public static Rows of(List<Track> tracks, RowState state) {
    List<Track> shown = new ArrayList<>();
    for (int index : state.pinned()) {
      if (index < tracks.size()) {
        shown.add(tracks.get(index));
      }
    }
    int pinned = shown.size();
    for (Track track : tracks) {
      if (!state.pinned().contains(track.index()) && state.shows(track)) {
        shown.add(track);
      }
    }
    return new Rows(List.copyOf(shown), pinned, tracks.size(), state);
  }

  /** How many rows are shown. */
  public int size() {
    return shown.size();
  }

  /** How many of them, from the top, stay where they are when the others scroll. */
  public int pinned() {
    return pinned;
  }

  /** The row at a place. */
  public Track track(int place) {
    return shown.get(place);
  }

  /** The place of a row, -1 if it is not shown. */
  public int placeOf(int track) {
    return track < 0 ? -1 : placeOfTrack[track];
  }

  /** Top of a row, from the top of the first, unscrolled. */
  public double top(int place) {
    return top[place];
  }

  /** Height of a row without the gap below it. */
  public double height(int place) {
    return lanes[place] * laneHeight[place];
  }

  /** How many lanes of it are shown. */
  public int lanes(int place) {
    return lanes[place];
  }

  /** Height of each lane. */
  public double laneHeight(int place) {
    return laneHeight[place];
  }

  /** Height of the block that stays on top. */
  public double pinnedHeight() {
    return top[pinned];
  }

  /** Height of all rows. */
  public double height() {
    return top[shown.size()];
  }

  /** Top of a row on the screen. */
  public double screenTop(int place, double scrolled) {
    return place < pinned ? top[place] : top[place] - scrolled;
  }

  /** The first place whose row ends below a height, unscrolled. */
  public int firstBelow(double y) {
    int low = 0;
    int high = shown.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (top[middle + 1] <= y) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The place under a point of the screen, -1 for none. */
  public int placeAt(double screenY, double scrolled) {
    if (screenY < 0) {
      return -1;
    }
    int place = firstBelow(screenY < pinnedHeight() ? screenY : screenY + scrolled);
    boolean there = place < shown.size() && (screenY < pinnedHeight() || place >= pinned);
    return there ? place : -1;
  }

  /** The largest amount to scroll by in a window of a height. */
  public double mostScroll(double windowHeight) {
    return Math.max(0, height() - windowHeight);
  }
}
