package dev.eddyline.analysis.export;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.eddyline.analysis.export.ChromeAdditions.Anchor;
import dev.eddyline.analysis.export.ChromeAdditions.Arrow;
import dev.eddyline.analysis.export.ChromeAdditions.Mark;
import dev.eddyline.analysis.export.ChromeEvents.Lane;
import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.OpView;
import dev.eddyline.analysis.timeline.ProcessInfo;
import dev.eddyline.analysis.timeline.RangeView;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.ThreadInfo;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.RecordType.Op;
import dev.eddyline.trace.RecordType.Range;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/** Makes a Chrome trace of a timeline, in the categories and lanes that Kineto writes. */
final class ChromeGenerator {
  private static final long OTHER_PROCESSES = 10_000_000;
  private static final long MOST_DEVICES = 64;
  private static final long LANES_PER_PROCESS = 1000;
  private final Timeline timeline;
  private final ChromeAdditions additions;
  private final JsonGenerator json;
  private final ChromeEvents events;
  private final OpView op;
  private final CallView call;
  private final long[] pids;
  private long baseNs;

  ChromeGenerator(Timeline timeline, ChromeAdditions additions, JsonGenerator json) {
    this.timeline = timeline;
    this.additions = additions;
    this.json = json;
    this.events = new ChromeEvents(json, additions.nodes());
    this.op = timeline.ops();
    this.call = timeline.calls();
    this.pids = new long[timeline.processes().size()];
    Set<Long> used = new HashSet<>();
    for (int i = 0; i < pids.length; i++) {
      long pid = timeline.process(i).pid();
      pids[i] = pid >= MOST_DEVICES && used.add(pid) ? pid : OTHER_PROCESSES * 2 + i;
    }
  }

  void write() throws IOException {
    baseNs = timeline.windowStart();
    json.writeStartObject();
    json.writeNumberField("schemaVersion", 1);
    json.writeStringField("displayTimeUnit", "ms");
    json.writeNumberField("baseTimeNanoseconds", baseNs);
    json.writeArrayFieldStart("traceEvents");
    writeNames();
    writeCalls();
    writeOps();
    writeRanges();
    for (Arrow arrow : additions.arrows()) {
      events.arrow(arrow, lane(arrow.from()), lane(arrow.to()), baseNs);
    }
    for (Mark mark : additions.marks()) {
      Anchor at = mark.at();
      events.mark(mark, at == null ? null : lane(at), baseNs);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private Lane lane(Anchor anchor) {
    return anchor.isOp()
        ? lane(timeline.stream(op.at(anchor.row()).stream()))
        : lane(timeline.thread(call.at(anchor.row()).thread()));
  }

  /** Kineto's GPU lanes: the process is the device, the thread the stream. */
  private static Lane lane(StreamInfo stream) {
    long device = Math.max(0, stream.device());
    long pid =
        stream.process() == 0
            ? device
            : OTHER_PROCESSES + stream.process() * LANES_PER_PROCESS + device;
    return new Lane(pid, stream.id());
  }

  private Lane lane(ThreadInfo thread) {
    return new Lane(pids[thread.process()], thread.tid());
  }

  private void writeNames() throws IOException {
    for (int i = 0; i < pids.length; i++) {
      ProcessInfo process = timeline.process(i);
      String rank = process.rank() < 0 ? "" : "rank " + process.rank();
      writeName("process_name", new Lane(pids[i], 0L), ("host " + rank).strip());
    }
    for (ThreadInfo thread : timeline.threads()) {
      writeName("thread_name", lane(thread), thread.label());
    }
    Set<Object> devices = new HashSet<>();
    for (StreamInfo stream : timeline.streams()) {
      Lane lane = lane(stream);
      if (devices.add(lane.pid())) {
        int rank = timeline.process(stream.process()).rank();
        String suffix = rank < 0 ? "" : ", rank " + rank;
        writeName("process_name", lane, "GPU " + Math.max(0, stream.device()) + suffix);
      }
      writeName("thread_name", lane, "stream " + stream.label());
    }
  }

  private void writeName(String what, Lane lane, String name) throws IOException {
    events.begin("M", "__metadata", what, lane, 0);
    json.writeObjectFieldStart("args");
    json.writeStringField("name", name);
    json.writeEndObject();
    json.writeEndObject();
  }

  private void beginSlice(String category, String name, Lane lane, long start, long duration)
      throws IOException {
    events.begin("X", category, name, lane, start - baseNs);
    json.writeNumberField("dur", ChromeEvents.micros(duration));
  }

  private void writeCalls() throws IOException {
    for (int i = 0; i < call.size(); i++) {
      call.at(i);
      boolean driver = call.name().startsWith("cu") && !call.name().startsWith("cuda");
      Lane lane = lane(timeline.thread(call.thread()));
      beginSlice(
          driver ? "cuda_driver" : "cuda_runtime",
          call.name(),
          lane,
          call.start(),
          call.duration());
      json.writeObjectFieldStart("args");
      writeKnown("correlation", call.correlation());
      json.writeEndObject();
      json.writeEndObject();
    }
  }

  private void writeOps() throws IOException {
    for (int i = 0; i < op.size(); i++) {
      StreamInfo stream = timeline.stream(op.at(i).stream());
      String category =
          switch (op.kind()) {
            case Op.KIND_COPY -> "gpu_memcpy";
            case Op.KIND_FILL -> "gpu_memset";
            default -> "kernel";
          };
      beginSlice(category, op.name(), lane(stream), op.start(), op.duration());
      json.writeObjectFieldStart("args");
      writeKnown("device", stream.device());
      writeKnown("context", stream.context());
      json.writeNumberField("stream", stream.id());
      writeKnown("correlation", op.correlation());
      writeKnown("bytes", op.bytes());
      writeSizes("grid", op.blocks());
      writeSizes("block", op.blockThreads());
      json.writeEndObject();
      json.writeEndObject();
      writeLaunch(stream);
    }
  }

  /** The arrow from a launch to its op, as Kineto draws it. */
  private void writeLaunch(StreamInfo stream) throws IOException {
    int launch = op.call();
    if (launch < 0) {
      return;
    }
    call.at(launch);
    Lane host = lane(timeline.thread(call.thread()));
    events.begin("s", "ac2g", "ac2g", host, call.start() - baseNs);
    json.writeNumberField("id", op.correlation());
    json.writeEndObject();
    events.begin("f", "ac2g", "ac2g", lane(stream), op.start() - baseNs);
    json.writeNumberField("id", op.correlation());
    json.writeStringField("bp", "e");
    json.writeEndObject();
  }

  private void writeRanges() throws IOException {
    RangeView range = timeline.ranges();
    for (int i = 0; i < range.size(); i++) {
      String category =
          switch (range.at(i).kind()) {
            case Range.KIND_OPERATOR -> "cpu_op";
            case Range.KIND_PYTHON -> "python_function";
            case Range.KIND_JAVA -> "java_function";
            default -> "user_annotation";
          };
      Lane lane = lane(timeline.thread(range.thread()));
      beginSlice(category, range.name(), lane, range.start(), range.end() - range.start());
      json.writeEndObject();
    }
  }

  private void writeKnown(String name, long value) throws IOException {
    if (value >= 0) {
      json.writeNumberField(name, value);
    }
  }

  private void writeSizes(String name, long count) throws IOException {
    if (count >= 0) {
      json.writeArrayFieldStart(name);
      json.writeNumber(count);
      json.writeNumber(1);
      json.writeNumber(1);
      json.writeEndArray();
    }
  }
}
