package dev.eddyline.analysis.graph;

import java.util.Arrays;

/**
 * A vector clock: per stream, how many of its ops are known to come before. Sparse, immutable.
 *
 * <p>Streams are kept sorted; a stream that is not there has position 0.
 */
public final class Clock {
  static final Clock EMPTY = new Clock(new int[0], new int[0]);
  private final int[] streams;
  private final int[] positions;

  private Clock(int[] streams, int[] positions) {
    this.streams = streams;
    this.positions = positions;
  }

  /** How many streams the clock names. */
  public int size() {
    return streams.length;
  }

  /** A stream that the clock names. */
  public int stream(int index) {
    return streams[index];
  }

  /** The position of the stream at an index. */
  public int positionAt(int index) {
    return positions[index];
  }

  /** How many ops of a stream come before. */
  public int position(int stream) {
    int at = Arrays.binarySearch(streams, stream);
    return at < 0 ? 0 : positions[at];
  }

  /** This clock, with a stream at least at a position. */
  Clock with(int stream, int position) {
    if (position(stream) >= position) {
      return this;
    }
    return join(new Clock(new int[] {stream}, new int[] {position}));
  }

  /** The later of both, stream by stream. */
  Clock join(Clock other) {
    if (other.streams.length == 0 || other == this) {
      return this;
    }
    if (streams.length == 0) {
      return other;
    }
    int[] s = new int[streams.length + other.streams.length];
    int[] p = new int[s.length];
    int n = 0;
    int a = 0;
    int b = 0;
    while (a < streams.length || b < other.streams.length) {
      int left = a < streams.length ? streams[a] : Integer.MAX_VALUE;
      int right = b < other.streams.length ? other.streams[b] : Integer.MAX_VALUE;
      s[n] = Math.min(left, right);
      p[n] = Math.max(left == s[n] ? positions[a] : 0, right == s[n] ? other.positions[b] : 0);
      a += left == s[n] ? 1 : 0;
      b += right == s[n] ? 1 : 0;
      n++;
    }
    return new Clock(Arrays.copyOf(s, n), Arrays.copyOf(p, n));
  }
}
