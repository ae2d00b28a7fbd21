package dev.eddyline.samples;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Starts a process for each rank, as launchers of training jobs do: {@code RANK}, {@code
 * LOCAL_RANK}, {@code WORLD_SIZE}, {@code MASTER_ADDR} and {@code MASTER_PORT} tell it who it is.
 * Ranks that share a GPU are told to be on different hosts, or NCCL refuses them, and so they talk
 * over sockets.
 */
final class RankLauncher {
  /** How long the others may go on when one has failed; their own timeouts may be long. */
  private static final long GRACE_MILLIS = 20_000;

  private static final String LOOPBACK = "127.0.0.1";

  /**
   * A job.
   *
   * @param ranks how many processes
   * @param sharing whether ranks share a GPU
   * @param main class of each rank's program
   * @param arguments its arguments
   * @param agent a Java agent to put into each command line, or null
   * @param traces the agent's option {@code out} of each rank, {@code %r} standing for its number
   */
  record Job(
      int ranks,
      boolean sharing,
      String main,
      List<String> arguments,
      @Nullable Path agent,
      String traces) {}

  private RankLauncher() {}

  /** What starts a rank. */
  static List<String> command(Job job, int rank) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (job.agent() != null) {
      String file = job.traces().replace("%r", Integer.toString(rank));
      command.add("-javaagent:" + job.agent() + "=out=" + file);
    }
    command.add("-Dorg.bytedeco.javacpp.maxPhysicalBytes=0");
    command.add("-cp");
    command.add(absolute(System.getProperty("java.class.path")));
    command.add(job.main());
    command.addAll(job.arguments());
    return command;
  }

  private static String absolute(String classPath) {
    List<String> entries = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator)) {
      entries.add(Path.of(entry).toAbsolutePath().toString());
    }
    return String.join(File.pathSeparator, entries);
  }

  /** What a rank finds in its environment beside that of this process. */
  static Map<String, String> environment(Job job, int rank, int port) {
    Map<String, String> environment = new java.util.HashMap<>();
    environment.put("RANK", Integer.toString(rank));
    environment.put("LOCAL_RANK", Integer.toString(rank));
    environment.put("WORLD_SIZE", Integer.toString(job.ranks()));
    environment.put("MASTER_ADDR", LOOPBACK);
    environment.put("MASTER_PORT", Integer.toString(port));
    environment.put("CUDA_MODULE_LOADING", "EAGER");
    // Streams that share a hardware queue would wait for one another.
    environment.put("CUDA_DEVICE_MAX_CONNECTIONS", "32");
    if (job.sharing()) {
      environment.put("NCCL_HOSTID", "host-" + rank);
      environment.put("NCCL_SOCKET_IFNAME", "lo");
      environment.put("NCCL_IB_DISABLE", "1");
    }
    return environment;
  }

  /**
   * Runs a job; blocks until all its ranks have ended. What they print goes to a stream.
   *
   * @return 0 if all ended well, else the code of the first that did not
   */
  static int run(Job job, PrintStream out, PrintStream err) throws IOException {
    return run(job, GRACE_MILLIS, out, err);
  }

  static int run(Job job, long graceMillis, PrintStream out, PrintStream err) throws IOException {
    int port = freePort();
    List<Process> processes = new ArrayList<>();
    List<Thread> readers = new ArrayList<>();
    try {
      for (int rank = 0; rank < job.ranks(); rank++) {
        ProcessBuilder builder = new ProcessBuilder(command(job, rank)).redirectErrorStream(true);
        builder.environment().putAll(environment(job, rank, port));
        Process process = builder.start();
        processes.add(process);
        readers.add(reader(process, out));
      }
      int code = await(processes, graceMillis, err);
      for (Thread reader : readers) {
        reader.join();
      }
      return code;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the ranks run", e);
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static Thread reader(Process process, PrintStream out) {
    Thread thread =
        new Thread(
            () -> {
              try (BufferedReader reader =
                  new BufferedReader(
                      new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                reader.lines().forEach(out::println);
              } catch (IOException | java.io.UncheckedIOException e) {
                // The rank was ended.
              }
            },
            "output-of-rank");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Waits for all; once one has failed, a little longer for the others, and ends them. */
  private static int await(List<Process> processes, long graceMillis, PrintStream err)
      throws InterruptedException {
    int code = 0;
    long deadline = Long.MAX_VALUE;
    List<Process> left = new ArrayList<>(processes);
    while (!left.isEmpty()) {
      for (Process process : List.copyOf(left)) {
        if (process.isAlive()) {
          continue;
        }
        left.remove(process);
        if (process.exitValue() != 0) {
          err.println(
              "samples: rank " + processes.indexOf(process) + " ended with " + process.exitValue());
          code = code == 0 ? process.exitValue() : code;
          deadline =
              Math.min(deadline, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(graceMillis));
        }
      }
      if (System.nanoTime() > deadline) {
        left.forEach(
            process ->
                err.println(
                    "samples: rank "
                        + processes.indexOf(process)
                        + " was ended, "
                        + graceMillis
                        + " ms after another had failed"));
        left.forEach(Process::destroyForcibly);
        return code;
      }
      Thread.sleep(20);
    }
    return code;
  }
}
