package dev.eddyline.analysis.deps;

import dev.eddyline.analysis.deps.Party.Kind;
import dev.eddyline.analysis.report.StreamSummaries;
import dev.eddyline.analysis.report.StreamSummary;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.Table;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Names the streams of a trace, so that the same stream has the same name in another run. */
final class Parties {
  /** What a pool calls its streams: says nothing of what they are used for. */
  private static final Pattern POOL_NAME = Pattern.compile("pool-\\d+");

  /**
   * A role and when a stream took it.
   *
   * @param name the role
   * @param sinceNs from when on
   */
  record TimedRole(String name, long sinceNs) {}

  private final Timeline timeline;
  private final List<StreamSummary> summaries;
  private final List<List<TimedRole>> roles = new ArrayList<>();
  private final Party[] ofStream;

  Parties(Timeline timeline) {
    this.timeline = timeline;
    this.summaries = StreamSummaries.of(timeline);
    for (int s = 0; s < timeline.streams().size(); s++) {
      roles.add(new ArrayList<>());
    }
    readRoles();
    ofStream = new Party[timeline.streams().size()];
    for (int s = 0; s < ofStream.length; s++) {
      ofStream[s] = make(s);
    }
  }

  private void readRoles() {
    Table table = timeline.table(RecordType.ROLE);
    for (int i = 0; i < table.size(); i++) {
      List<TimedRole> of = roles.get((int) table.get(i, Role.STREAM));
      String role = timeline.strings().get(table.get(i, Role.ROLE));
      if (of.stream().noneMatch(known -> known.name().equals(role))) {
        of.add(new TimedRole(role, table.get(i, Role.START)));
      }
    }
  }

  private Party make(int stream) {
    StreamInfo info = timeline.stream(stream);
    StreamSummary summary = summaries.get(stream);
    boolean named = !info.name().isEmpty() && !info.name().equals(Long.toString(info.id()));
    if (named && POOL_NAME.matcher(info.name()).matches() && !roles.get(stream).isEmpty()) {
      String role = roles.get(stream).get(0).name();
      return new Party(Kind.STREAM, role, role);
    }
    if (named) {
      boolean numbers = isKineto(info);
      return new Party(
          Kind.STREAM, info.name(), numbers ? info.id() + " " + info.name() : info.name());
    }
    String role = summary.isDefault() ? "  default" : summary.nccl() ? " NCCL" : "";
    return new Party(Kind.STREAM, info.label(), info.label() + role);
  }

  private boolean isKineto(StreamInfo info) {
    int source = timeline.process(info.process()).source();
    return timeline.sources().get(source).format().equals("Kineto");
  }

  /** A stream as a party. */
  Party of(int stream) {
    return ofStream[stream];
  }

  /** What a stream was used for, in order of time. */
  List<TimedRole> roles(int stream) {
    return roles.get(stream);
  }

  /** How many ops a stream ran. */
  int ops(int stream) {
    return summaries.get(stream).ops();
  }

  /** Whether a stream ran collectives. */
  boolean ranCollectives(int stream) {
    return summaries.get(stream).nccl();
  }
}
