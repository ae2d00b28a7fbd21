package dev.eddyline.recorder;

import dev.eddyline.recorder.marks.MarkSink;
import dev.eddyline.recorder.shim.ShimCounters;
import dev.eddyline.trace.EddyWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/** Counts what was lost since the recording began, by kind, and writes it into the trace. */
final class Losses {
  private final EddyWriter writer;
  private final MarkSink marks;
  private final ShimCounters before = ShimCounters.read();
  private final long marksBefore;
  private final Map<String, Long> counted = new LinkedHashMap<>();

  Losses(EddyWriter writer, MarkSink marks) {
    this.writer = writer;
    this.marks = marks;
    marksBefore = marks.lost();
  }

  /** Brings the counts up to date; for the thread that drains. */
  synchronized void count() {
    ShimCounters now = ShimCounters.read();
    set("activity records", now.droppedByCupti() - before.droppedByCupti());
    set("activity buffers", now.buffersDropped() - before.buffersDropped());
    set(
        "stacks",
        now.blockedRefused()
            + now.stacksFailed()
            - before.blockedRefused()
            - before.stacksFailed());
    set("stream and event handles", now.notesRefused() - before.notesRefused());
    set("launch arguments", now.launchesRefused() - before.launchesRefused());
    set("kernel names", now.namesRefused() - before.namesRefused());
    set("marks", marks.lost() - marksBefore);
  }

  private void set(String kind, long total) {
    long known = counted.getOrDefault(kind, 0L);
    if (total > known) {
      counted.put(kind, total);
      writer.dropped(kind, total - known);
    }
  }

  /** Losses in words: "none", "12 activity records, 1 marks". */
  synchronized String words() {
    if (counted.isEmpty()) {
      return "none";
    }
    StringBuilder words = new StringBuilder();
    counted.forEach(
        (kind, count) ->
            words.append(words.isEmpty() ? "" : ", ").append(count).append(' ').append(kind));
    return words.toString();
  }
}
