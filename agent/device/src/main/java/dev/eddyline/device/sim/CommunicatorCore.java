package dev.eddyline.device.sim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the ranks of a communicator share: who is there, and which collectives are open. */
final class CommunicatorCore {
  final World world;
  final String name;
  final int number;
  final int size;
  private final @Nullable SimCommunicator[] members;
  private int joined;
  private final Map<String, Meeting> open = new LinkedHashMap<>();
  private final Map<Meeting, int[]> places = new HashMap<>();
  private final long[] arrivals;
  private final Map<Long, Integer> pairs = new HashMap<>();

  CommunicatorCore(World world, String name, int number, int size) {
    this.world = world;
    this.name = name;
    this.number = number;
    this.size = size;
    this.members = new SimCommunicator[size];
    this.arrivals = new long[size];
  }

  /** Whether the place was free. */
  boolean join(SimCommunicator member) {
    if (members[member.rank()] != null) {
      return false;
    }
    members[member.rank()] = member;
    joined++;
    return true;
  }

  boolean isComplete() {
    return joined == size;
  }

  /** Ranks that have not joined. */
  List<Integer> missing() {
    List<Integer> ranks = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      if (members[rank] == null) {
        ranks.add(rank);
      }
    }
    return ranks;
  }

  /** A rank's kernel carries out a call now. */
  void arrive(CollectiveCall call, long now) {
    if (call.kind.isPointToPoint()) {
      arrivePair(call, now);
      return;
    }
    int rank = call.communicator.rank();
    long index = arrivals[rank]++;
    String label = words(call.kind) + " #" + call.sequence + " of '" + name + "'";
    meet(Long.toString(index), label, identity(), rank, call, now);
  }

  private void arrivePair(CollectiveCall call, long now) {
    boolean sends = call.kind == CollectiveKind.SEND;
    int rank = call.communicator.rank();
    int from = sends ? rank : call.peer;
    int to = sends ? call.peer : rank;
    long side = ((long) from * size + to) * 2 + (sends ? 0 : 1);
    int index = pairs.merge(side, 1, Integer::sum) - 1;
    String label =
        "send/recv #" + index + " from rank " + from + " to rank " + to + " of '" + name + "'";
    int[] ranks = {from, to};
    meet("p" + from + "," + to + "," + index, label, ranks, sends ? 0 : 1, call, now);
  }

  private void meet(
      String key, String label, int[] ranks, int place, CollectiveCall call, long now) {
    Meeting meeting = open.get(key);
    if (meeting == null) {
      meeting = new Meeting(this, ranks.length, label);
      open.put(key, meeting);
      places.put(meeting, ranks);
    }
    meeting.arrive(place, call, now);
    if (!meeting.isOpen()) {
      open.remove(key);
    }
  }

  private int[] identity() {
    int[] ranks = new int[size];
    for (int rank = 0; rank < size; rank++) {
      ranks[rank] = rank;
    }
    return ranks;
  }

  static String words(CollectiveKind kind) {
    return switch (kind) {
      case ALL_REDUCE -> "all-reduce";
      case ALL_GATHER -> "all-gather";
      case REDUCE_SCATTER -> "reduce-scatter";
      case BROADCAST -> "broadcast";
      case REDUCE -> "reduce";
      case ALL_TO_ALL -> "all-to-all";
      case SEND -> "send";
      case RECEIVE -> "receive";
    };
  }

  int rankAt(Meeting meeting, int place) {
    int[] ranks = places.get(meeting);
    return ranks == null ? place : ranks[place];
  }

  void closed(Meeting meeting) {
    places.remove(meeting);
  }

  /** All members learn of a fault. */
  void failed(String why) {
    for (SimCommunicator member : members) {
      if (member != null) {
        member.fail(why);
      }
    }
  }

  /** A rank is gone: the others learn of it later. */
  void rankDied(SimProcess process) {
    for (SimCommunicator member : members) {
      if (member != null && member.process == process) {
        String why =
            "rank "
                + member.rank()
                + " of communicator '"
                + name
                + "' is gone (killed at "
                + Diagnosis.ms(process.diedAt())
                + "); abort the communicator and join one without that rank";
        Due notice =
            new Due() {
              @Override
              void fire() {
                failed(why);
              }
            };
        world.at(world.now + world.options.noticeNanos(), notice);
      }
    }
  }

  /** Adds what is open, in words. */
  void describeStuck(List<String> stuck) {
    open.values().stream().filter(Meeting::isOpen).map(Meeting::describe).forEach(stuck::add);
    places.keySet().stream()
        .filter(meeting -> meeting.isBroken() && !open.containsValue(meeting))
        .map(Meeting::describe)
        .sorted()
        .forEach(stuck::add);
  }
}
