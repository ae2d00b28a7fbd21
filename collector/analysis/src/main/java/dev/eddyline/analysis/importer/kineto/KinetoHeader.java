package dev.eddyline.analysis.importer.kineto;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.eddyline.analysis.timeline.SourceInfo;
import dev.eddyline.trace.RecordType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a file says of itself before or after its events. */
final class KinetoHeader {
  /** A GPU by its number in the process. */
  record Device(String name, int multiprocessors) {}

  /** A process group that the file lists. */
  record Group(String name, String description, long size) {}

  /** How many records of a kind the profiler itself says that it lost. */
  record Lost(String kind, long count) {}

  private static final int MAX_ENTRIES = 100_000;
  private static final Set<String> FIELDS =
      Set.of(
          "baseTimeNanoseconds",
          "cuda_runtime_version",
          "deviceProperties",
          "distributedInfo",
          "INFO",
          "WARNING",
          "ERROR");
  private static final Pattern LOSSES =
      Pattern.compile(
          "(Out-of-range|CPU GPU out-of-order|Unexpected CUDA events|CUPTI stopped early\\??) ="
              + " (\\d{1,18})");
  private static final Pattern DROPPED =
      Pattern.compile("[Dd]ropped (\\d{1,18})|(\\d{1,18})[^,;.]{0,80} (?:dropped|lost)");
  private static final Pattern RANK_IN_NAME =
      Pattern.compile(
          "(?<![a-z])rank[_-]?(\\d{1,9})(?:[_-]?of[_-]?(\\d{1,9}))?", Pattern.CASE_INSENSITIVE);

  private long base;
  private long cudaRuntime = RecordType.NONE;
  private String nccl = "";
  private int rank = -1;
  private int worldSize = -1;
  private final Map<Long, Device> devices = new LinkedHashMap<>();
  private final List<Group> groups = new ArrayList<>();
  private final List<Lost> losses = new ArrayList<>();

  /** Origin of the events' times, nanoseconds since the Unix epoch; 0 if they count from it. */
  long base() {
    return base;
  }

  /** Sets the origin, if it is one that times can be added to. */
  void setBase(long nanos) {
    base = nanos >= 0 && nanos <= Long.MAX_VALUE / 2 ? nanos : base;
  }

  int rank() {
    return rank;
  }

  int worldSize() {
    return worldSize;
  }

  Map<Long, Device> devices() {
    return devices;
  }

  List<Group> groups() {
    return groups;
  }

  List<Lost> losses() {
    return losses;
  }

  /** Takes rank and number of ranks from the file's name where the file itself has none. */
  void completeFrom(String fileName) {
    Matcher name = RANK_IN_NAME.matcher(fileName);
    if (name.find()) {
      rank = rank >= 0 ? rank : Integer.parseInt(name.group(1));
      worldSize =
          worldSize >= 0 || name.group(2) == null ? worldSize : Integer.parseInt(name.group(2));
    }
  }

  /** What to show of the file: versions, the GPUs that it used, how long it was recorded. */
  Map<String, String> properties(Set<Long> usedDevices, long recordedNs) {
    Map<String, String> shown = new LinkedHashMap<>();
    if (cudaRuntime > 0) {
      shown.put(
          "CUDA", String.format(Locale.ROOT, "%d.%d", cudaRuntime / 1000, cudaRuntime % 1000 / 10));
    }
    if (!nccl.isEmpty()) {
      shown.put("NCCL", nccl);
    }
    List<String> names =
        devices.entrySet().stream()
            .filter(each -> usedDevices.contains(each.getKey()))
            .map(each -> each.getValue().name())
            .filter(each -> !each.isEmpty())
            .distinct()
            .toList();
    if (!names.isEmpty()) {
      shown.put("GPU", String.join(", ", names));
    }
    if (recordedNs > 0) {
      shown.put(SourceInfo.RECORDED, String.format(Locale.ROOT, "%.3f ms", recordedNs / 1e6));
    }
    return shown;
  }

  /** Whether a field of the file's object says something that is needed. */
  static boolean isKnown(String field) {
    return FIELDS.contains(field);
  }

  /** Reads one field of the file's object, of which the parser stands at the value. */
  void readField(JsonParser parser, String field) throws IOException {
    switch (field) {
      case "baseTimeNanoseconds" -> setBase(number(parser, base));
      case "cuda_runtime_version" -> cudaRuntime = number(parser, cudaRuntime);
      case "deviceProperties" -> eachObject(parser, () -> readDevice(parser));
      case "distributedInfo" -> readDistributed(parser);
      case "INFO", "WARNING", "ERROR" -> readMessages(parser);
      default -> parser.skipChildren();
    }
  }

  private interface ObjectReader {
    void read() throws IOException;
  }

  private static void eachObject(JsonParser parser, ObjectReader reader) throws IOException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      parser.skipChildren();
      return;
    }
    for (JsonToken t = parser.nextToken(); t != JsonToken.END_ARRAY; t = parser.nextToken()) {
      if (t == JsonToken.START_OBJECT) {
        reader.read();
      } else {
        parser.skipChildren();
      }
    }
  }

  private void readDevice(JsonParser parser) throws IOException {
    long id = RecordType.NONE;
    String name = "";
    long multiprocessors = 0;
    for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
      parser.nextToken();
      switch (field) {
        case "id" -> id = number(parser, id);
        case "name" -> name = text(parser, name);
        case "numSms" -> multiprocessors = number(parser, multiprocessors);
        default -> parser.skipChildren();
      }
    }
    if (id >= 0 && devices.size() < MAX_ENTRIES) {
      devices.put(id, new Device(name, (int) Math.min(Integer.MAX_VALUE, multiprocessors)));
    }
  }

  private void readDistributed(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      parser.skipChildren();
      return;
    }
    for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
      parser.nextToken();
      switch (field) {
        case "rank" -> rank = small(parser, rank);
        case "world_size" -> worldSize = small(parser, worldSize);
        case "nccl_version" -> nccl = text(parser, nccl);
        case "pg_config" -> eachObject(parser, () -> readGroup(parser));
        default -> parser.skipChildren();
      }
    }
  }

  private void readGroup(JsonParser parser) throws IOException {
    String name = "";
    String description = "";
    long size = RecordType.NONE;
    for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
      parser.nextToken();
      switch (field) {
        case "pg_name" -> name = text(parser, name);
        case "pg_desc" -> description = text(parser, description);
        case "pg_size" -> size = number(parser, size);
        default -> parser.skipChildren();
      }
    }
    if (groups.size() < MAX_ENTRIES) {
      groups.add(new Group(name, description, size));
    }
  }

  private void readMessages(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      parser.skipChildren();
      return;
    }
    for (JsonToken t = parser.nextToken(); t != JsonToken.END_ARRAY; t = parser.nextToken()) {
      if (t == JsonToken.VALUE_STRING && losses.size() < MAX_ENTRIES) {
        readMessage(text(parser, ""));
      } else {
        parser.skipChildren();
      }
    }
  }

  private void readMessage(String line) {
    Matcher counts = LOSSES.matcher(line);
    boolean any = false;
    while (counts.find()) {
      any = true;
      addLoss(counts.group(1).replace("?", ""), counts.group(2));
    }
    Matcher dropped = DROPPED.matcher(line);
    if (!any && dropped.find()) {
      addLoss("dropped", dropped.group(1) != null ? dropped.group(1) : dropped.group(2));
    }
  }

  private void addLoss(String kind, String count) {
    if (Long.parseLong(count) > 0) {
      losses.add(new Lost(kind, Long.parseLong(count)));
    }
  }

  private static long number(JsonParser parser, long otherwise) throws IOException {
    JsonToken token = parser.currentToken();
    if (!token.isNumeric() && token != JsonToken.VALUE_STRING) {
      parser.skipChildren();
      return otherwise;
    }
    byte[] text = parser.getText().getBytes(StandardCharsets.UTF_8);
    long value = Microseconds.toInteger(text, 0, text.length);
    return value == Microseconds.BAD ? otherwise : value;
  }

  private static int small(JsonParser parser, int otherwise) throws IOException {
    long value = number(parser, otherwise);
    return value >= 0 && value <= Integer.MAX_VALUE ? (int) value : otherwise;
  }

  private static String text(JsonParser parser, String otherwise) throws IOException {
    JsonToken token = parser.currentToken();
    if (token.isNumeric() || token == JsonToken.VALUE_STRING) {
      return parser.getText();
    }
    parser.skipChildren();
    return otherwise;
  }
}
