package dev.eddyline.analysis.importer.eddy;

import dev.eddyline.analysis.timeline.DeviceInfo;
import dev.eddyline.analysis.timeline.ProcessInfo;
import dev.eddyline.analysis.timeline.SkippedRange;
import dev.eddyline.analysis.timeline.SourceInfo;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.TimelineBuilder;
import dev.eddyline.trace.Column;
import dev.eddyline.trace.RecordType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

public final class SampleTimelines {
  private static final long EPOCH = 1_796_055_245_000_000_000L;
  private static final List<String> NAMES =
      List.of(
          "cudaLaunchKernel",
          "cudaEventRecord",
          "cudaStreamWaitEvent",
          "cudaStreamSynchronize",
          "aten::mm",
          "nccl:all_reduce",
          "step0",
          "train.py(12): forward",
          "größer ≥ 𝕏",
          "allreduce",
          "[[16777216]]",
          "float");

  private SampleTimelines() {}

  public static Timeline random(long seed, int rowsPerType) {
    return builder(seed, rowsPerType).build();
  }

  static TimelineBuilder builder(long seed, int rowsPerType) {
    Random random = new Random(seed);
    TimelineBuilder builder = new TimelineBuilder();
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("CUDA", "13.0");
    properties.put("NCCL", "2.28.9");
    properties.put("GPU", "NVIDIA H200");
    for (int rank = 0; rank < 2; rank++) {
      int source =
          builder.addSource(new SourceInfo("rank" + rank + ".json.gz", "Kineto", properties));
      int process =
          builder.addProcess(new ProcessInfo(source, 700 + rank, rank, 2, "gpu-node-" + rank));
      builder.nameThread(builder.thread(process, 733), "python3");
      builder.thread(process, 734 + rank);
      builder.addDevice(new DeviceInfo(process, rank, "NVIDIA H200", 132));
      for (StreamInfo.Kind kind : StreamInfo.Kind.values()) {
        int generation = kind == StreamInfo.Kind.BLOCKING ? 1 : 0;
        int stream = builder.stream(process, rank, 1, 7 + kind.ordinal(), generation);
        builder.setStream(
            stream,
            new StreamInfo(
                process,
                rank,
                1,
                7 + kind.ordinal(),
                generation,
                kind,
                kind == StreamInfo.Kind.LEGACY_DEFAULT ? "default" : ""));
      }
    }
    builder.addSkipped(new SkippedRange(1, 100, 240, "an object"));
    NAMES.forEach(name -> builder.strings().intern(name));
    for (RecordType type : RecordType.values()) {
      addRows(builder, type, rowsPerType, random);
    }
    return builder;
  }

  private static void addRows(TimelineBuilder builder, RecordType type, int rows, Random random) {
    long[] row = new long[type.width()];
    long time = EPOCH;
    for (int i = 0; i < rows; i++) {
      time += random.nextInt(20_000);
      for (int column = 0; column < row.length; column++) {
        row[column] = value(type.columns().get(column), i, time, random);
      }
      builder.add(type, row);
    }
  }

  private static long value(Column column, int i, long time, Random random) {
    return switch (column.meaning()) {
      case TIME -> time;
      case STRING -> 1 + random.nextInt(NAMES.size());
      case PROCESS -> random.nextInt(2);
      case THREAD -> random.nextInt(4);
      case STREAM -> random.nextInt(10);
      case NUMBER ->
          switch (column.name()) {
            case "correlation", "sync_id", "sequence" -> i;
            case "duration" -> random.nextInt(200_000);
            case "kind" -> random.nextInt(4);
            case "bytes", "event" -> random.nextInt(4) == 0 ? RecordType.NONE : random.nextLong();
            default -> random.nextInt(3) - 1;
          };
    };
  }
}
