package dev.eddyline.analysis.export;

import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.EddyWriter;
import dev.eddyline.trace.RecordType;
import java.util.Map;

/** The names that an export writes: here, as they are. For one export. */
class EddyNames {
  private final Timeline timeline;
  private int[] ids = new int[0];

  EddyNames(Timeline timeline) {
    this.timeline = timeline;
  }

  /** Defines strings ahead of the rows; all of them, so that their ids stay as they are. */
  void defineAll(EddyWriter writer) {
    ids = new int[timeline.strings().size()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = writer.string(timeline.strings().get(i));
    }
  }

  /** The writer's id of the string in a column of a row; the id there is not negative. */
  long string(RecordType type, int column, long[] row, EddyWriter writer) {
    return ids[(int) row[column]];
  }

  String file(String name) {
    return name;
  }

  Map<String, String> properties(Map<String, String> properties) {
    return properties;
  }

  String what(String skipped) {
    return skipped;
  }

  String host(String name) {
    return name;
  }

  String thread(String name) {
    return name;
  }

  String stream(String name) {
    return name;
  }
}
