package dev.eddyline.analysis.importer.eddy;

import dev.eddyline.analysis.timeline.SkippedRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Parts of a file that are left out; a bounded list, in which neighbours are told as one. */
final class Gaps {
  static final long END_OF_FILE = -1;

  private final int max;
  private final List<SkippedRange> ranges = new ArrayList<>();
  private int more;

  Gaps(int max) {
    this.max = max;
  }

  /**
   * Notes a part.
   *
   * @param to offset after its last byte, or {@link #END_OF_FILE}
   * @param expected what was expected there
   */
  void add(long from, long to, String expected) {
    if (!ranges.isEmpty()) {
      SkippedRange last = ranges.get(ranges.size() - 1);
      if (last.toByte() == from && last.what().equals(expected)) {
        ranges.set(ranges.size() - 1, new SkippedRange(0, last.fromByte(), to, expected));
        return;
      }
    }
    if (to != END_OF_FILE && ranges.size() >= max) {
      more++;
      return;
    }
    ranges.add(new SkippedRange(0, from, to, expected));
  }

  /** All parts in the order of the file, as those of a source. */
  List<SkippedRange> of(int source) {
    List<SkippedRange> sorted = new ArrayList<>(ranges.size() + 1);
    for (SkippedRange range : ranges) {
      sorted.add(new SkippedRange(source, range.fromByte(), range.toByte(), range.what()));
    }
    sorted.sort(Comparator.comparingLong(SkippedRange::fromByte));
    if (more > 0) {
      long at = sorted.get(sorted.size() - 1).fromByte();
      sorted.add(new SkippedRange(source, at, at, more + " more parts like these"));
    }
    return sorted;
  }
}
