package dev.eddyline.viewer.model;

import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.viewer.track.Track;
import java.util.Arrays;
import java.util.List;

/** Finds the row of a stream, of a thread's calls, of a process. Immutable. */
public final class TrackIndex {
  private final int[] stream;
  private final int[] calls;
  private final int[] polls;
  private final int[] ranges;

  TrackIndex(Timeline timeline, List<Track> tracks) {
    stream = filled(timeline.streams().size());
    calls = filled(timeline.threads().size());
    polls = filled(timeline.threads().size());
    ranges = filled(timeline.threads().size());
    for (Track track : tracks) {
      switch (track.kind()) {
        case STREAM -> stream[track.ref()] = track.index();
        case CALLS -> calls[track.ref()] = track.index();
        case POLLS -> polls[track.ref()] = track.index();
        case RANGES -> ranges[track.ref()] = track.index();
        default -> {}
      }
    }
  }

  private static int[] filled(int size) {
    int[] values = new int[size];
    Arrays.fill(values, -1);
    return values;
  }

  /** Row of a stream, -1 if it has none because it ran nothing. */
  public int ofStream(int index) {
    return stream[index];
  }

  /** Row of a thread's calls; that of its queries where it made no others; or -1. */
  public int ofCalls(int thread) {
    return calls[thread] >= 0 ? calls[thread] : polls[thread];
  }

  /** Row of a thread's queries, or -1. */
  public int ofPolls(int thread) {
    return polls[thread];
  }

  /** Row of a thread's ranges, or -1. */
  public int ofRanges(int thread) {
    return ranges[thread];
  }
}
