package dev.eddyline.analysis.importer.eddy;

import dev.eddyline.analysis.timeline.SourceInfo;
import dev.eddyline.analysis.timeline.Table;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.Column;
import dev.eddyline.trace.RecordType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

public final class TimelineText {
  private TimelineText() {}

  public static List<String> of(Timeline timeline) {
    StringJoiner lines = new StringJoiner("\n");
    for (SourceInfo source : timeline.sources()) {
      Map<String, String> properties = new LinkedHashMap<>(source.properties());
      properties.remove(EddyReader.EXPORTED_FROM);
      lines.add("source " + source.format() + " " + properties);
    }
    timeline.processes().forEach(process -> lines.add(process.toString()));
    timeline.threads().forEach(thread -> lines.add(thread.toString()));
    timeline.devices().forEach(device -> lines.add(device.toString()));
    timeline.streams().forEach(stream -> lines.add(stream.toString()));
    timeline.skipped().forEach(skipped -> lines.add(skipped.toString()));
    for (int i = 0; i < timeline.strings().size(); i++) {
      lines.add("string " + i + " " + timeline.strings().get(i));
    }
    for (RecordType type : RecordType.values()) {
      rows(timeline.table(type), lines);
    }
    return List.of(lines.toString().split("\n"));
  }

  public static String header(RecordType type) {
    StringJoiner names = new StringJoiner(" ");
    for (Column column : type.columns()) {
      names.add(column.name());
    }
    return type + " " + names;
  }

  private static void rows(Table table, StringJoiner lines) {
    if (table.size() > 0) {
      lines.add(header(table.type()));
    }
    long[] row = new long[table.type().width()];
    for (int i = 0; i < table.size(); i++) {
      table.copyRow(i, row);
      StringJoiner values = new StringJoiner(" ", "  ", "");
      for (long value : row) {
        values.add(Long.toString(value));
      }
      lines.add(values.toString());
    }
  }
}
