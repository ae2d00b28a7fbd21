package dev.eddyline.group;

import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Host;
import dev.eddyline.device.Store;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The other ranks of a communicator as the store shows them: a rank that waits in vain says so
 * there, and so those are found that do not.
 */
final class Peers {
  private static final int MOST_NAMED = 8;

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

  /**
   * In sentences that begin with a space: which other ranks do not say that they wait too, and
   * which wait in something else. Listens to each until a time.
   *
   * @param what that this rank waits in
   * @param concerns which ranks take part in it
   */
  String others(String what, IntPredicate concerns, long until) {
    List<Integer> silent = new ArrayList<>();
    Map<String, List<Integer>> elsewhere = new HashMap<>();
    for (int other = 0; other < size; other++) {
      if (other == rank || !concerns.test(other)) {
        continue;
      }
      String theirs;
      try {
        byte[] value = store.get(key(other), Math.max(0, until - host.nanoTime()));
        theirs = new String(value, StandardCharsets.UTF_8);
      } catch (DeviceException nothing) {
        if (nothing.reason() == Reason.KILLED) {
          throw nothing;
        }
        if (nothing.reason() != Reason.TIMEOUT) {
          return " The store does not answer ("
              + nothing.getMessage()
              + "), so the other ranks"
              + " cannot be asked.";
        }
        silent.add(other);
        continue;
      }
      if (!theirs.equals(what)) {
        elsewhere.computeIfAbsent(theirs, w -> new ArrayList<>()).add(other);
      }
    }
    return words(silent, elsewhere);
  }

  private static String words(List<Integer> silent, Map<String, List<Integer>> elsewhere) {
    StringBuilder text = new StringBuilder();
    if (!silent.isEmpty()) {
      text.append(' ').append(ranks(silent)).append(silent.size() > 1 ? " give" : " gives");
      text.append(" no sign of waiting too: gone, or late.");
    }
    elsewhere.forEach(
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
