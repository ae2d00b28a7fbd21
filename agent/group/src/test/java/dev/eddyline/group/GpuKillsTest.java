package dev.eddyline.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs of two or three processes on one GPU; one of each is killed at a random point. */
@Tag("gpu")
@Tag("group-kills")
@Timeout(540)
class GpuKillsTest {
  private static final long SEED = Long.getLong("eddyline.seed", 20_261_130L);
  private static final int KILLS = Integer.getInteger("eddyline.kills", 50);
  private static final int AT_ONCE = Integer.getInteger("eddyline.kills.at-once", 6);
  private static final long ABORT = 3_000;
  private static final long MOST_MILLIS = 30_000;

  /** A process and what it has printed. */
  private static final class Rank {
    private final Process process;
    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    private final Thread reader;

    Rank(Process process) {
      this.process = process;
      this.reader = new Thread(this::read, "reader");
      reader.setDaemon(true);
      reader.start();
    }

    private void read() {
      try (BufferedReader from =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
        from.lines().forEach(lines::add);
      } catch (IOException | java.io.UncheckedIOException e) {
        lines.add("output ended: " + e);
      }
    }

    boolean said(String what) {
      synchronized (lines) {
        return lines.stream().anyMatch(line -> line.startsWith(what));
      }
    }

    String line(String begin) {
      synchronized (lines) {
        return lines.stream().filter(line -> line.startsWith(begin)).findFirst().orElse("");
      }
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static Rank start(int rank, int size, int victim, int port) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
                "-Deddyline.victim=" + victim,
                "-cp",
                System.getProperty("java.class.path"),
                KilledRank.class.getName())
            .redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    environment.put("RANK", Integer.toString(rank));
    environment.put("WORLD_SIZE", Integer.toString(size));
    environment.put("MASTER_ADDR", "127.0.0.1");
    environment.put("MASTER_PORT", Integer.toString(port));
    environment.put("NCCL_HOSTID", "h" + rank);
    // All of NCCL's kernels at once would take each of so many processes seconds.
    environment.put("CUDA_MODULE_LOADING", "LAZY");
    return new Rank(builder.start());
  }

  /** How a kill went: what is wrong, or "" and the longest time of a survivor in milliseconds. */
  private record Outcome(String wrong, long longest, boolean joining, String error) {}

  private static Outcome kill(int number) throws Exception {
    Random random = new Random(SEED + number);
    int size = 2 + random.nextInt(2);
    int victim = random.nextInt(size);
    boolean whileJoining = number % 5 == 0;
    long after = whileJoining ? random.nextInt(1200) : random.nextInt(1500);
    int port = freePort();
    List<Rank> ranks = new ArrayList<>();
    try {
      for (int rank = 0; rank < size; rank++) {
        ranks.add(start(rank, size, victim, port));
      }
      String until = whileJoining ? "OPENED" : "JOINED";
      long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MOST_MILLIS);
      while (!ranks.get(victim).said(until) && System.nanoTime() < deadline) {
        Thread.sleep(5);
      }
      boolean begun = ranks.get(victim).said(until);
      Thread.sleep(after);
      boolean joining = !ranks.get(victim).said("JOINED");
      ranks.get(victim).process.destroyForcibly();
      String what =
          "kill " + number + ", rank " + victim + " of " + size + (joining ? " while joining" : "");
      return begun
          ? outcome(what, ranks, victim, joining)
          : new Outcome(what + " never began", 0, joining, "");
    } finally {
      ranks.forEach(rank -> rank.process.destroyForcibly());
    }
  }

  private static Outcome outcome(String what, List<Rank> ranks, int victim, boolean joining)
      throws InterruptedException {
    StringBuilder wrong = new StringBuilder();
    long longest = 0;
    String shown = "";
    for (int rank = 0; rank < ranks.size(); rank++) {
      if (rank == victim) {
        continue;
      }
      Rank survivor = ranks.get(rank);
      if (!survivor.process.waitFor(MOST_MILLIS, TimeUnit.MILLISECONDS)) {
        wrong.append(what).append(": rank ").append(rank).append(" hangs; ");
        survivor.process.destroyForcibly();
      }
      survivor.reader.join(1_000);
      String error = survivor.line("ERROR ");
      shown = error.isEmpty() ? shown : error;
      long took = error.isEmpty() ? 0 : Long.parseLong(error.split(" ")[1]);
      longest = Math.max(longest, took);
      long most = (joining ? KilledRank.JOIN_TIMEOUT : KilledRank.TIMEOUT) / 1_000_000 + ABORT;
      boolean wentOn = victim == 0 || survivor.said("WENT ON");
      if (!names(error, victim) || took > most || !wentOn) {
        wrong.append(what).append(": rank ").append(rank).append(" said ").append(survivor.lines);
        wrong.append("; ");
      }
    }
    return new Outcome(wrong.toString(), longest, joining, what + ": " + shown);
  }

  /** Whether an error blames that rank, and none that lives. */
  private static boolean names(String error, int victim) {
    boolean store = victim == 0 && error.contains("the store of rank 0 at ");
    return !error.contains(" Ranks ")
        && (store
            || error.contains("Rank " + victim + " is gone: ")
            || error.contains("Rank " + victim + " gives no sign of waiting too"));
  }

  @Test
  void no_survivor_hangs_and_each_error_says_which_rank() throws Exception {
    ExecutorService jobs = Executors.newFixedThreadPool(AT_ONCE);
    Map<Integer, Outcome> outcomes = new ConcurrentHashMap<>();
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < KILLS; i++) {
        int number = i;
        running.add(
            jobs.submit(
                () -> {
                  Outcome outcome = kill(number);
                  outcomes.put(number, outcome);
                  System.out.println(outcome.wrong() + outcome.error());
                  return true;
                }));
      }
      for (Future<?> job : running) {
        job.get();
      }
    } finally {
      jobs.shutdownNow();
      report(outcomes);
    }
    assertThat(outcomes.values()).extracting(Outcome::wrong).containsOnly("");
    assertThat(outcomes).hasSize(KILLS);
  }

  private static void report(Map<Integer, Outcome> outcomes) {
    long[] times = outcomes.values().stream().mapToLong(Outcome::longest).sorted().toArray();
    long joining = outcomes.values().stream().filter(Outcome::joining).count();
    long wrong = outcomes.values().stream().filter(kill -> !kill.wrong().isEmpty()).count();
    if (times.length > 0) {
      GpuRank.sayAlone(
          times.length
              + " kills, "
              + joining
              + " of them while joining, "
              + wrong
              + " went wrong; a survivor's call ended after "
              + times[times.length / 2]
              + " ms (median of the slowest survivors), at most "
              + times[times.length - 1]
              + " ms");
    }
  }
}
