package dev.eddyline.analysis.graph;

import java.util.Arrays;

/**
 * Who comes before whom, on plain numbers: streams, host threads and processes, and moments. A call
 * of number n happens at moment 2n; 2n + 1 is right after it. What is enqueued at moment m is known
 * "up to v" when everything of its stream with m &lt; v comes before.
 *
 * <p>Streams keep what they learned through edges. Two kinds of knowledge are not copied along, for
 * that would cost streams × ops: what a host thread learned from syncs stays with the thread, and a
 * stream keeps only up to when it knows the thread; and the legacy default stream orders the
 * streams that follow it by an epoch, its own actions. A question looks through these hubs.
 *
 * <p>Fed in the order of the calls by one thread; afterwards any number of threads may ask.
 */
public final class HappensBefore {
  /** Before everything: nothing is known. */
  public static final int NEVER = Integer.MIN_VALUE;

  /** After everything. */
  public static final int MOST = Integer.MAX_VALUE;

  private static final int NONE = -1;
  private static final int IMPLIES_NONE = -2;
  private final int streams;
  private final int threads;
  private final Knower[] knowers;
  private final int[] contextOf;
  private final int[] legacyOf;
  private final int[][] actions;
  private final int[] actionCount;
  private final int[][] unread;
  private final int[] unreadCount;
  private final boolean[] isUnread;
  private final int[] lastAction;

  /**
   * @param streams how many streams
   * @param threads how many host threads
   * @param processes how many processes
   * @param contextOf per stream the context whose legacy default stream it is or follows, -1: none
   * @param legacyOf per context its legacy default stream, -1 if it did not appear
   */
  public HappensBefore(int streams, int threads, int processes, int[] contextOf, int[] legacyOf) {
    this.streams = streams;
    this.threads = threads;
    this.contextOf = contextOf.clone();
    this.legacyOf = legacyOf.clone();
    for (int s = 0; s < streams; s++) {
      int context = this.contextOf[s];
      this.contextOf[s] = context >= 0 && legacyOf[context] >= 0 ? context : NONE;
    }
    knowers = new Knower[streams + threads + processes];
    for (int i = 0; i < knowers.length; i++) {
      knowers[i] = new Knower(streams);
    }
    actions = new int[legacyOf.length][16];
    actionCount = new int[legacyOf.length];
    unread = new int[legacyOf.length][4];
    unreadCount = new int[legacyOf.length];
    isUnread = new boolean[streams];
    lastAction = new int[streams];
    Arrays.fill(lastAction, NEVER);
  }

  /** The number of a host thread among streams and hubs. */
  public int thread(int thread) {
    return streams + thread;
  }

  /** The number of a process among streams and hubs. */
  public int process(int process) {
    return streams + threads + process;
  }

  private boolean isLegacy(int stream) {
    return stream < streams && contextOf[stream] >= 0 && legacyOf[contextOf[stream]] == stream;
  }

  private boolean isFollower(int stream) {
    return stream < streams && contextOf[stream] >= 0 && legacyOf[contextOf[stream]] != stream;
  }

  private boolean isHub(int other) {
    return other >= streams || isLegacy(other);
  }

  // ---- what happens, in the order of the calls ----

  /**
   * Something is enqueued: an op, a record, a wait, a stream-ordered allocation or free.
   *
   * @param process the process whose other threads' syncs this thread may know of by some way of
   *     the program's own, -1 for none
   */
  public void enqueue(int stream, int thread, int process, int moment) {
    learnHost(stream, thread(thread), moment);
    if (process >= 0) {
      learnHost(stream, process(process), moment);
    }
    lastAction[stream] = moment;
    if (isLegacy(stream)) {
      int context = contextOf[stream];
      readFollowers(stream, context, moment);
      if (actionCount[context] == actions[context].length) {
        actions[context] = Arrays.copyOf(actions[context], actionCount[context] * 2);
      }
      actions[context][actionCount[context]++] = moment;
    }
  }

  private void learnHost(int stream, int hub, int moment) {
    int learned = knowers[hub].learned;
    if (learned != NEVER && knowers[stream].lastHub(hub) < learned) {
      learn(stream, hub, moment, moment);
    }
  }

  /** What streams that follow the legacy stream learned since its last action. */
  private void readFollowers(int legacy, int context, int moment) {
    for (int i = 0; i < unreadCount[context]; i++) {
      int follower = unread[context][i];
      isUnread[follower] = false;
      learnAll(legacy, moment, knowers[follower], Integer.MAX_VALUE);
    }
    unreadCount[context] = 0;
  }

  /** A stream had something before the first call. */
  public void began(int stream, int moment) {
    lastAction[stream] = moment;
  }

  /** When something was last enqueued on a stream, and right after; for syncs. */
  public int untilNow(int stream) {
    return lastAction[stream] == NEVER ? NEVER : lastAction[stream] + 1;
  }

  /**
   * An edge comes in: from a moment on, a stream (or a thread, by {@link #thread}) comes after what
   * another stream had before {@code upTo}.
   */
  public void edge(int to, int moment, int from, int upTo) {
    if (to == from || upTo == NEVER || known(knowers[to], from) >= upTo) {
      return;
    }
    learnAll(to, moment, knowers[from], upTo);
    learn(to, from, moment, upTo);
    if (isFollower(from)) {
      learn(to, legacyOf[contextOf[from]], moment, upTo);
    }
  }

  private int known(Knower knower, int other) {
    return isHub(other) ? knower.lastHub(other) : knower.last(other);
  }

  private void learnAll(int to, int moment, Knower source, int upTo) {
    Knower target = knowers[to];
    int learned = target.learned;
    // Of the streams that follow it the legacy stream knows by its epoch; hubs stand elsewhere.
    int implied = isLegacy(to) ? contextOf[to] : IMPLIES_NONE;
    target.learnAll(source, source.row(upTo), to, moment, contextOf, implied);
    if (target.learned != learned) {
      markUnread(to);
    }
    for (int i = 0; i < source.hubCount(); i++) {
      int value = source.hubChanges(i).at(upTo);
      if (value != NEVER) {
        learn(to, source.hub(i), moment, value);
      }
    }
  }

  /**
   * What a thread learned becomes known to its process, for threads that hear of it.
   *
   * @param upTo moment up to which the thread is known
   */
  public void tellProcess(int process, int moment, int thread, int upTo) {
    learn(process(process), thread(thread), moment, upTo);
  }

  private void learn(int to, int other, int moment, int value) {
    if (other == to || isImplied(to, other)) {
      return;
    }
    Knower knower = knowers[to];
    boolean isNew =
        isHub(other) ? knower.learnHub(other, moment, value) : knower.learn(other, moment, value);
    if (isNew) {
      markUnread(to);
    }
  }

  private void markUnread(int to) {
    if (isFollower(to) && !isUnread[to]) {
      isUnread[to] = true;
      int context = contextOf[to];
      if (unreadCount[context] == unread[context].length) {
        unread[context] = Arrays.copyOf(unread[context], unreadCount[context] * 2);
      }
      unread[context][unreadCount[context]++] = to;
    }
  }

  /** Between the legacy stream and those that follow it the epoch says it all. */
  private boolean isImplied(int to, int other) {
    return to < streams
        && other < streams
        && contextOf[to] >= 0
        && contextOf[to] == contextOf[other]
        && (isLegacy(to) || isLegacy(other));
  }

  // ---- questions ----

  /**
   * Up to when a stream is known to come before.
   *
   * @param by the stream, or thread by {@link #thread}, that comes after
   * @param moment when that is enqueued, or when the thread is asked
   * @param stream the stream that comes before
   * @param enough a moment beyond which the answer does not matter
   * @param handOvers whether a thread may have heard of the syncs of others
   * @return everything of the stream enqueued before this moment comes before
   */
  public int known(int by, int moment, int stream, int enough, boolean handOvers) {
    Knower own = knowers[by];
    int best = isHub(stream) ? NEVER : own.at(stream, moment);
    if (best > enough || own.hubCount() == 0 && by < streams && contextOf[by] < 0) {
      return best;
    }
    return new Search(stream, enough, handOvers, best).from(by, moment);
  }

  /** The last action of a context's legacy stream that is not after a moment. */
  private int epoch(int context, int moment) {
    int[] all = actions[context];
    int low = 0;
    int high = actionCount[context];
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (all[middle] <= moment) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low == 0 ? NEVER : all[low - 1];
  }

  /** How many numbers are kept, for measurements. */
  public long kept() {
    long sum = 0;
    for (Knower knower : knowers) {
      sum += knower.kept();
    }
    return sum;
  }

  /** Looks through hubs, each as far as it is known. */
  private final class Search {
    private final int stream;
    private final int enough;
    private final boolean handOvers;
    private int best;
    private int[] hubs = new int[8];
    private int[] upTo = new int[8];
    private boolean[] open = new boolean[8];
    private int count;

    Search(int stream, int enough, boolean handOvers, int best) {
      this.stream = stream;
      this.enough = enough;
      this.handOvers = handOvers;
      this.best = best;
    }

    int from(int by, int moment) {
      look(by, moment);
      boolean more = true;
      while (more && best <= enough) {
        more = false;
        for (int i = 0; i < count && best <= enough; i++) {
          if (open[i]) {
            open[i] = false;
            more = true;
            look(hubs[i], upTo[i]);
          }
        }
      }
      return best;
    }

    private void look(int by, int moment) {
      int until = moment;
      if (by < streams && contextOf[by] >= 0) {
        int context = contextOf[by];
        if (legacyOf[context] == by) {
          if (stream == by) {
            best = Math.max(best, moment);
          }
          until = epoch(context, moment);
          if (until == NEVER) {
            return;
          }
          if (stream < streams && contextOf[stream] == context && stream != by) {
            best = Math.max(best, until);
          }
        } else {
          note(legacyOf[context], moment);
        }
      }
      Knower knower = knowers[by];
      best = Math.max(best, knower.at(stream, until));
      for (int i = 0; i < knower.hubCount(); i++) {
        int value = knower.hubChanges(i).at(until);
        if (value != NEVER) {
          note(knower.hub(i), value);
        }
      }
    }

    private void note(int hub, int value) {
      if (!handOvers && hub >= streams + threads) {
        return;
      }
      int at = 0;
      while (at < count && hubs[at] != hub) {
        at++;
      }
      if (at == count) {
        if (count == hubs.length) {
          hubs = Arrays.copyOf(hubs, 2 * count);
          upTo = Arrays.copyOf(upTo, 2 * count);
          open = Arrays.copyOf(open, 2 * count);
        }
        hubs[count] = hub;
        upTo[count] = NEVER;
        count++;
      }
      if (upTo[at] < value) {
        upTo[at] = value;
        open[at] = true;
      }
    }
  }
}
