package dev.eddyline.device.conformance;

import java.util.Arrays;
import java.util.List;

/**
 * One call of a program.
 *
 * @param number its place in the program, from 1
 * @param thread the host thread that makes it, "" for the main one
 * @param concurrent whether the main thread goes on without waiting for it to return
 * @param words the call and its operands
 */
record Step(int number, String thread, boolean concurrent, List<String> words) {
  private static final List<String> IN_GROUPS =
      List.of(
          "allreduce",
          "allgather",
          "reducescatter",
          "broadcast",
          "reduce",
          "alltoall",
          "send",
          "recv");
  private static final List<String> WORK =
      List.of("kernel", "copy", "memcpy", "fill", "memset", "host");

  /** Reads "kernel n1", "@t1 sync n1", or "@t1 &sync n1". */
  static Step parse(int number, String text) {
    List<String> words = Arrays.asList(text.strip().split(" +"));
    if (!words.get(0).startsWith("@")) {
      return new Step(number, "", false, List.copyOf(words));
    }
    String thread = words.get(0).substring(1);
    boolean concurrent = words.get(1).startsWith("&");
    String call = concurrent ? words.get(1).substring(1) : words.get(1);
    words.set(1, call);
    return new Step(number, thread, concurrent, List.copyOf(words.subList(1, words.size())));
  }

  String call() {
    return words.get(0);
  }

  String operand(int index) {
    return words.get(index + 1);
  }

  /** Whether it is a call of the collective library with work behind it. */
  boolean isCollective() {
    return IN_GROUPS.contains(call());
  }

  /** Whether it puts something on a stream that users see. */
  boolean isWork() {
    return WORK.contains(call()) || isCollective();
  }

  /** The stream on which its work is; the legacy default stream where it names none. */
  String stream() {
    return call().equals("memcpy") || call().equals("memset") ? "L" : operand(0);
  }

  @Override
  public String toString() {
    String prefix = thread.isEmpty() ? "" : "@" + thread + " " + (concurrent ? "&" : "");
    return prefix + String.join(" ", words);
  }
}
