package dev.eddyline.analysis.report;

import dev.eddyline.analysis.timeline.StreamInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What ran on a stream.
 *
 * @param index index of the stream in the timeline
 * @param stream the stream
 * @param ops how many ops ran on it
 * @param busyNs how long at least one of its ops ran
 * @param nccl whether collectives of NCCL or RCCL ran on it
 * @param communicators the communicators they belong to, where known
 * @param collectives what ran: "allreduce" to how often
 * @param threads labels of the threads that launched onto it
 * @param isDefault whether it is the default stream, by its kind or by its id in such sources
 */
public record StreamSummary(
    int index,
    StreamInfo stream,
    int ops,
    long busyNs,
    boolean nccl,
    Set<String> communicators,
    Map<String, Integer> collectives,
    Set<String> threads,
    boolean isDefault) {

  /** The stream with its roles: "17 (NCCL, default_pg)". */
  public String title() {
    List<String> roles = roles();
    return roles.isEmpty()
        ? stream.label()
        : stream.label() + " (" + String.join(", ", roles) + ")";
  }

  /** What it is used for: "default", "NCCL" and the communicators. */
  public List<String> roles() {
    List<String> roles = new ArrayList<>();
    if (isDefault) {
      roles.add("default");
    } else if (stream.kind() == StreamInfo.Kind.PER_THREAD_DEFAULT) {
      roles.add("per-thread default");
    }
    if (nccl) {
      roles.add("NCCL");
      for (String name : communicators) {
        roles.add(name.chars().allMatch(Character::isDigit) ? "group " + name : name);
      }
    }
    if (!stream.name().isEmpty() && !stream.name().equals(Long.toString(stream.id()))) {
      roles.add(0, "id " + stream.id());
    }
    return roles;
  }
}
