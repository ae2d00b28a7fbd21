package dev.eddyline.group;

import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Host;
import dev.eddyline.device.Store;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The other ranks of a communicator as the store shows them: a rank that waits in vain says so
 * there, and so those are found that do not.
 */
final class Peers {
  private static final int MOST_NAMED = 8;
  private static final long PAUSE = 5_000_000;

  private final String name;
  private final int rank;
  private final int size;
  private final Store store;
  private final Host host;
  private final AtomicReference<@Nullable String> announced = new AtomicReference<>();

  Peers(String name, int rank, int size, Store store, Host host) {
    this.name = name;
    this.rank = rank;
    this.size = size;
    this.store = store;
    this.host = host;
  }

  /** Tells the other ranks that this one waits in vain; only the first time. */
  void announce(String what) {
    if (announced.compareAndSet(null, what)) {
      try {
        store.set(key(rank), what.getBytes(StandardCharsets.UTF_8));
      } catch (DeviceException storeIsGone) {
        if (storeIsGone.reason() == Reason.KILLED) {
          throw storeIsGone;
        }
        // The evidence will lack; the failure itself is told all the same.
      }
    }
  }

  private String key(int ofRank) {
    return Rendezvous.PREFIX + name + "/waits/" + ofRank;
  }

  /** This rank's place in the job, for stores that know when a rank of the job is gone. */
  void introduce() {
    if (store instanceof TcpStore tcp && tcp.member() >= 0) {
      tcp.set(jobRankKey(rank), ByteBuffer.allocate(Integer.BYTES).putInt(tcp.member()).array());
    }
  }

  private String jobRankKey(int ofRank) {
    return Rendezvous.PREFIX + name + "/is/" + ofRank;
  }

  /** What is known of the others. */
  private static final class Known {
    private final List<Integer> gone = new ArrayList<>();
    private final List<Integer> silent = new ArrayList<>();
    private final Map<String, List<Integer>> elsewhere = new TreeMap<>();
  }

  /**
   * In sentences that begin with a space: which other ranks are gone, or do not say that they wait
   * too, and which wait in something else.
   *
   * @param what that this rank waits in
   * @param concerns which ranks take part in it
   * @param until how long to listen at most, if it is not clear before
   */
  String others(String what, IntPredicate concerns, long until) {
    try {
      Known known = look(what, concerns);
      while (known.gone.isEmpty() && !known.silent.isEmpty() && host.nanoTime() < until) {
        host.sleep(Math.min(PAUSE, until - host.nanoTime()));
        known = look(what, concerns);
      }
      return words(known);
    } catch (DeviceException e) {
      if (e.reason() == Reason.KILLED) {
        throw e;
      }
      return " The store does not answer ("
          + e.getMessage()
          + "), so the other ranks cannot be asked.";
    }
  }

  private Known look(String what, IntPredicate concerns) {
    Known known = new Known();
    for (int other = 0; other < size; other++) {
      if (other == rank || !concerns.test(other)) {
        continue;
      }
      byte[] theirs = now(key(other));
      if (isGone(other)) {
        known.gone.add(other);
      } else if (theirs == null) {
        known.silent.add(other);
      } else if (!new String(theirs, StandardCharsets.UTF_8).equals(what)) {
        known
            .elsewhere
            .computeIfAbsent(new String(theirs, StandardCharsets.UTF_8), w -> new ArrayList<>())
            .add(other);
      }
    }
    return known;
  }

  /** A value of the store, null if there is none now. */
  private byte @Nullable [] now(String key) {
    try {
      return store.get(key, 0);
    } catch (DeviceException e) {
      if (e.reason() != Reason.TIMEOUT) {
        throw e;
      }
      return null;
    }
  }

  private boolean isGone(int other) {
    if (!(store instanceof TcpStore)) {
      return false;
    }
    byte[] jobRank = now(jobRankKey(other));
    return jobRank != null && now(TcpStore.GONE + ByteBuffer.wrap(jobRank).getInt()) != null;
  }

  private static String words(Known known) {
    StringBuilder text = new StringBuilder();
    if (!known.gone.isEmpty()) {
      boolean several = known.gone.size() > 1;
      text.append(' ')
          .append(ranks(known.gone))
          .append(several ? " are gone: their" : " is gone: its");
      text.append(several ? " connections" : " connection").append(" to the job's store broke.");
    } else if (!known.silent.isEmpty()) {
      text.append(' ').append(ranks(known.silent));
      text.append(known.silent.size() > 1 ? " give" : " gives");
      text.append(" no sign of waiting too: gone, or late.");
    }
    known.elsewhere.forEach(
        (what, who) ->
            text.append(' ')
                .append(ranks(who))
                .append(who.size() > 1 ? " wait in " : " waits in ")
                .append(what)
                .append(" instead."));
    return text.toString();
  }

  static String ranks(List<Integer> ranks) {
    StringBuilder text = new StringBuilder(ranks.size() > 1 ? "Ranks " : "Rank ");
    for (int i = 0; i < Math.min(ranks.size(), MOST_NAMED); i++) {
      text.append(i == 0 ? "" : ", ").append(ranks.get(i));
    }
    if (ranks.size() > MOST_NAMED) {
      text.append(" and ").append(ranks.size() - MOST_NAMED).append(" more");
    }
    return text.toString();
  }
}
