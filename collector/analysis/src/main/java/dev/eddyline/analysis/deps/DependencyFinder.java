package dev.eddyline.analysis.deps;

import dev.eddyline.analysis.blame.HostBlock;
import dev.eddyline.analysis.deps.Party.Kind;
import dev.eddyline.analysis.deps.StreamDependencies.HostBehindCollective;
import dev.eddyline.analysis.deps.WaitFact.State;
import dev.eddyline.analysis.finding.Finding;
import dev.eddyline.analysis.finding.Occurrence;
import dev.eddyline.analysis.finding.Segment;
import dev.eddyline.analysis.finding.Steps;
import dev.eddyline.analysis.graph.BindRule;
import dev.eddyline.analysis.graph.StreamGraph;
import dev.eddyline.analysis.rule.Analysis;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds which stream waits for which. */
public final class DependencyFinder {
  private static final String SYNC_ON_COLLECTIVE = "sync-on-collective";

  private record Key(Party waiter, Party target, State state, boolean internal, BindRule rule) {}

  private final Analysis analysis;
  private final StreamGraph graph;
  private final Timeline timeline;
  private final Steps steps;
  private final Parties parties;
  private final SharedRoles roles;
  private final List<WaitFact> facts;

  private DependencyFinder(Analysis analysis, boolean byRole) {
    this.analysis = analysis;
    this.graph = analysis.graph();
    this.timeline = graph.timeline();
    this.steps = analysis.report().steps();
    this.parties = new Parties(timeline);
    List<WaitFact> all = new WaitFacts(graph, parties, steps).all();
    this.roles = new SharedRoles(timeline, parties, all);
    this.facts = byRole ? roles.attributed(all) : all;
  }

  /** The dependencies of an analysed trace, stream by stream. */
  public static StreamDependencies find(Analysis analysis) {
    return new DependencyFinder(analysis, false).all();
  }

  /** As {@link #find}; what a stream did in a second role is said of that role. */
  public static StreamDependencies findByRole(Analysis analysis) {
    return new DependencyFinder(analysis, true).all();
  }

  private StreamDependencies all() {
    return new StreamDependencies(
        timeline,
        steps,
        rows(),
        new IndirectDependencies(graph, parties).find(),
        notes(),
        roles.found(),
        hostBehindCollective());
  }

  /** Streams that ran something first, then by how often; what is not known last. */
  private List<Dependency> rows() {
    Map<Key, List<WaitFact>> groups = new LinkedHashMap<>();
    for (WaitFact fact : facts) {
      Key key =
          new Key(
              fact.waiter(),
              fact.target(),
              fact.state(),
              fact.ncclInternal(),
              fact.state() == State.LIKELY ? fact.rule() : BindRule.NONE);
      groups.computeIfAbsent(key, k -> new ArrayList<>()).add(fact);
    }
    List<Dependency> rows = new ArrayList<>();
    groups.forEach(
        (key, waits) -> rows.add(new Dependency(key.waiter(), key.target(), key.state(), waits)));
    rows.sort(
        Comparator.<Dependency, Kind>comparing(row -> row.waiter().kind())
            .thenComparing(row -> row.waiter().label(), DependencyFinder::byNumber)
            .thenComparing(Dependency::ncclInternal)
            .thenComparing(row -> row.target().kind())
            .thenComparing(row -> row.target().label(), DependencyFinder::byNumber));
    return rows;
  }

  /** Ids in the order of their numbers, names by their letters. */
  static int byNumber(String a, String b) {
    boolean numbers = a.matches("\\d{1,18}") && b.matches("\\d{1,18}");
    return numbers ? Long.compare(Long.parseLong(a), Long.parseLong(b)) : a.compareTo(b);
  }

  private List<StreamNote> notes() {
    Map<Party, List<Integer>> streams = new LinkedHashMap<>();
    for (int s = 0; s < timeline.streams().size(); s++) {
      if (parties.ops(s) > 0) {
        streams.computeIfAbsent(parties.of(s), p -> new ArrayList<>()).add(s);
      }
    }
    List<StreamNote> notes = new ArrayList<>();
    streams.forEach((party, of) -> notes.add(note(party, of)));
    notes.sort(Comparator.comparing(note -> note.party().label(), DependencyFinder::byNumber));
    return notes;
  }

  private StreamNote note(Party party, List<Integer> streams) {
    int waits = 0;
    int waitedFor = 0;
    int open = 0;
    for (WaitFact fact : facts) {
      boolean by = fact.waiter().equals(party);
      waits += by && !fact.ncclInternal() ? 1 : 0;
      waitedFor += !by && fact.target().equals(party) ? 1 : 0;
      open += !by && fact.state() == State.UNKNOWN ? 1 : 0;
    }
    int blocks = 0;
    int idle = 0;
    long blockedNs = 0;
    for (HostBlock block : analysis.hostBlocks()) {
      if (streams.contains(block.stream()) && block.kind() == HostBlock.Kind.STREAM_SYNC) {
        blocks += block.isBlocked() ? 1 : 0;
        idle += block.isBlocked() ? 0 : 1;
        blockedNs += block.isBlocked() ? block.durationNs() : 0;
      }
    }
    int ops = streams.stream().mapToInt(parties::ops).sum();
    boolean sure = streams.stream().allMatch(s -> holdsAllWaits(timeline.stream(s).process()));
    return new StreamNote(party, ops, waits, sure, waitedFor, open, blocks, blockedNs, idle);
  }

  /**
   * Whether every wait by a stream that ran something names it. Kineto keeps the row of a wait
   * whose stream ran an op, and drops the others; its versions of before CUDA 12 dropped more.
   */
  private boolean holdsAllWaits(int process) {
    boolean unseen = false;
    boolean named = false;
    var wait = timeline.waits();
    for (int i = 0; i < wait.size(); i++) {
      if (wait.at(i).process() == process) {
        unseen |= wait.stream() < 0;
        named |= wait.stream() >= 0;
      }
    }
    String cuda =
        timeline
            .sources()
            .get(timeline.process(process).source())
            .properties()
            .getOrDefault("CUDA", "");
    return !unseen || named && cuda.matches("(1[2-9]|[2-9]\\d).*");
  }

  private List<HostBehindCollective> hostBehindCollective() {
    record Pair(String synced, String collectives) {}
    Map<Pair, List<Occurrence>> groups = new HashMap<>();
    for (Finding finding : analysis.report().findings()) {
      if (!finding.rule().equals(SYNC_ON_COLLECTIVE)) {
        continue;
      }
      for (Occurrence occurrence : finding.occurrences()) {
        String stream = collectiveStream(occurrence);
        groups
            .computeIfAbsent(new Pair(occurrence.stream(), stream), k -> new ArrayList<>())
            .add(occurrence);
      }
    }
    List<HostBehindCollective> found = new ArrayList<>();
    groups.forEach(
        (pair, of) ->
            found.add(
                new HostBehindCollective(
                    pair.synced(),
                    pair.collectives(),
                    of.size(),
                    stepsOf(of),
                    of.stream().mapToLong(Occurrence::durationNs).sum())));
    found.sort(Comparator.comparing(HostBehindCollective::synced));
    return found;
  }

  private int stepsOf(List<Occurrence> occurrences) {
    Set<String> names = new LinkedHashSet<>();
    for (Occurrence occurrence : occurrences) {
      occurrence.where().stream()
          .filter(place -> place.kind() == dev.eddyline.analysis.finding.Place.Kind.STEP)
          .findFirst()
          .ifPresent(place -> names.add(occurrence.rank() + place.name()));
    }
    return names.size();
  }

  private String collectiveStream(Occurrence occurrence) {
    var op = timeline.ops();
    for (Segment segment : occurrence.blame()) {
      if (segment.opRow() >= 0
          && graph.collectives().isCollective(op.at(segment.opRow()))
          && segment.state() != Segment.State.NOT_STARTED) {
        return parties.of(op.stream()).label();
      }
    }
    return "";
  }
}
