package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.blame.HostBlock;
import dev.eddyline.analysis.finding.Segment;
import dev.eddyline.analysis.finding.Severity;
import dev.eddyline.analysis.timeline.OpView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A sync held the host, and through edges a collective lay in the blocked time. */
public final class SyncOnCollective extends BlockRule {
  static final String ID = "sync-on-collective";
  private static final int MOST_NAMED = 4;

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "A sync held the host until a collective was done, through the edges that are named.";
  }

  @Override
  boolean dependsOnPath() {
    return true;
  }

  @Override
  Text describe(List<JudgedBlock> group, Facts facts) {
    String collectives = names(group, facts);
    String call = group.get(0).occurrence().call();
    boolean once = group.size() == 1;
    String title =
        "the host stood still until "
            + (once ? collectives + " was done" : "collectives were done");
    String summary =
        "The host stood still "
            + Words.times(group.size())
            + ", "
            + Words.ms(total(group))
            + " in all, until "
            + collectives
            + (once ? " was done." : " were done.");
    StringBuilder explanation = new StringBuilder();
    explanation
        .append(call)
        .append(' ')
        .append(onStreams(group))
        .append(" returned when ")
        .append(OpWords.ofReleases(group, facts))
        .append(" was done");
    String path = pathWords(group.get(0), facts);
    explanation.append(path.isEmpty() ? "." : "; " + path + ".");
    long own = time(group, Segment.State.RUNNING);
    long remote = time(group, Segment.State.REMOTE);
    explanation
        .append(" The collectives themselves ran for ")
        .append(Words.ms(own))
        .append(" of that time; the rest is what they, or the work behind them, waited for.")
        .append(remote > 0 ? " " + Words.ms(remote) + " were waiting for the last rank." : "")
        .append(otherRanks(facts))
        .append(sharedStreams(group, facts));
    return new Text(
        Severity.WARNING,
        title,
        summary,
        explanation.toString(),
        remedy(group, facts),
        List.of("the host stood still in these calls"),
        guesses(group),
        false);
  }

  private static String names(List<JudgedBlock> group, Facts facts) {
    Set<String> names = new LinkedHashSet<>();
    for (JudgedBlock judged : group) {
      int last = judged.collectives().get(judged.collectives().size() - 1);
      names.add(OpWords.collective(last, facts));
    }
    List<String> shown = new ArrayList<>(names);
    if (shown.size() > MOST_NAMED) {
      return shown.size() + " collectives (" + shown.get(0) + ", ..)";
    }
    return Words.list(shown);
  }

  private static String otherRanks(Facts facts) {
    var processes = facts.timeline().processes();
    int world = processes.stream().mapToInt(process -> process.worldSize()).max().orElse(-1);
    return world <= processes.size()
        ? ""
        : " One rank's file cannot tell a slow transfer from waiting for another rank.";
  }

  /** Streams on which somebody else's work had come between, as far as roles tell; or nothing. */
  private static String sharedStreams(List<JudgedBlock> group, Facts facts) {
    Map<String, List<String>> shared = new LinkedHashMap<>();
    for (JudgedBlock judged : group) {
      List<String> roles = SharedStream.roles(judged, facts);
      if (roles.size() > 1) {
        shared.put(facts.timeline().stream(judged.block().stream()).label(), roles);
      }
    }
    StringBuilder words = new StringBuilder();
    shared.forEach(
        (stream, roles) ->
            words
                .append(" Stream ")
                .append(stream)
                .append(" had played ")
                .append(roles.size() == 2 ? "two" : roles.size())
                .append(" roles by then, ")
                .append(Words.list(roles))
                .append('.'));
    return words.isEmpty()
        ? ""
        : words + " A stream from a pool can be one that something else already uses.";
  }

  private static long time(List<JudgedBlock> group, Segment.State state) {
    long sum = 0;
    for (JudgedBlock judged : group) {
      for (Segment segment : judged.blame()) {
        if (judged.collectives().contains(segment.opRow()) && segment.state() == state) {
          sum += segment.ns();
        }
      }
    }
    return sum;
  }

  /** The edges from the op that let the call go back to the last collective, in words. */
  private static String pathWords(JudgedBlock judged, Facts facts) {
    int last = judged.collectives().get(judged.collectives().size() - 1);
    List<String> edges = new ArrayList<>();
    List<Segment> blame = judged.blame();
    for (int i = blame.size() - 1; i >= 0; i--) {
      blame.get(i).via().stream()
          .filter(via -> !via.kind().equals("stream-order") && !via.rule().equals("release"))
          .forEach(via -> edges.add(via.text()));
      if (blame.get(i).opRow() == last) {
        break;
      }
    }
    if (last == judged.block().releaseOp()) {
      return "";
    }
    OpView op = facts.timeline().ops().at(last);
    return "before it "
        + OpWords.collective(last, facts)
        + " had to end on stream "
        + facts.timeline().stream(op.stream()).label()
        + (edges.isEmpty() ? "" : " (" + String.join("; ", edges) + ")");
  }

  private static String remedy(List<JudgedBlock> group, Facts facts) {
    HostBlock block = group.get(0).block();
    OpView op = facts.timeline().ops().at(block.releaseOp());
    boolean collectiveItself = facts.graph().collectives().isCollective(op);
    if (collectiveItself) {
      return "Let a stream wait instead of the host: work.wait() holds the current stream only. If"
          + " the host must know, sync as late as you can.";
    }
    String ownStreams =
        group.stream().anyMatch(judged -> SharedStream.isOtherRolesWork(judged, facts))
            ? "Give each role a stream of its own. Otherwise: put"
            : "Put";
    return ownStreams
        + " the wait for the collective on the stream that needs its result, and sync the host"
        + " on an event recorded before that wait, or on another stream.";
  }
}
