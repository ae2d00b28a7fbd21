package dev.eddyline.device.conformance;

import dev.eddyline.device.Platform;
import dev.eddyline.device.conformance.StreamProgram.Gate;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * Asks a device how it treats the programs of the suite.
 *
 * <p>A piece of work is held up by a kernel in front of it, on its stream, that ends when a second
 * host thread says so after 50 ms. What is done only then was ordered behind that work; a call that
 * took 40 ms or more kept the host waiting for it. Work inside a group of collectives is held up
 * once before its own call and once more before the end of the group, because it may be enqueued at
 * either.
 *
 * <p>One rank, one or two devices; the calling thread must be one that the platform's host knows.
 */
public final class Conformance {
  /** The answers of an H200 with driver 580, CUDA 13.0 and NCCL 2.28. */
  public static final String H200_DRIVER_580 = "h200-driver-580.txt";

  private static final int GENERATED = 40;

  private final Bench bench;

  /** Takes the memory that the programs use from the first one or two devices. */
  public Conformance(Platform platform) {
    this.bench = new Bench(platform);
  }

  /** All programs: those written by hand, then the generated ones. */
  public static List<StreamProgram> programs() {
    List<StreamProgram> programs = new ArrayList<>();
    lines("programs.txt").forEach(line -> programs.add(StreamProgram.parse(line)));
    LongStream.rangeClosed(1, GENERATED).mapToObj(Generator::program).forEach(programs::add);
    return programs;
  }

  /**
   * Recorded answers of a real device.
   *
   * @param name for example {@link #H200_DRIVER_580}
   * @return by program, each in the order of its gates
   */
  public static Map<String, List<Answer>> recorded(String name) {
    Map<String, List<Answer>> answers = new LinkedHashMap<>();
    for (String line : lines(name)) {
      Answer answer = Answer.parse(line);
      answers.computeIfAbsent(answer.program(), p -> new ArrayList<>()).add(answer);
    }
    return answers;
  }

  private static List<String> lines(String resource) {
    InputStream stream = Conformance.class.getResourceAsStream(resource);
    if (stream == null) {
      throw new IllegalArgumentException("no resource '" + resource + "'");
    }
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      return reader.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a program once without holding anything up: what happens only once happens here. */
  public void warmUp(StreamProgram program) {
    new Run(bench, program, null).execute();
  }

  /**
   * Asks.
   *
   * @param times how often each piece of work is held up
   * @return for each piece of work the answers seen, and how often each; one where the device is of
   *     one mind
   */
  public List<Map<Answer, Integer>> ask(StreamProgram program, int times) {
    List<Map<Answer, Integer>> all = new ArrayList<>();
    for (Gate gate : program.gates()) {
      Map<Answer, Integer> seen = new LinkedHashMap<>();
      for (int i = 0; i < times; i++) {
        seen.merge(new Run(bench, program, gate).execute(), 1, Integer::sum);
      }
      all.add(seen);
    }
    return all;
  }
}
