package dev.eddyline.junit;

import java.util.Set;

/** Tells frames of Eddyline's own libraries, which a trace keeps, from those of the user. */
final class LibraryFrames {
  private static final Set<String> FILES =
      Set.of(
          "Call.java",
          "CallMaker.java",
          "Coalescing.java",
          "ContinuationThread.java",
          "EventRing.java",
          "GroupContext.java",
          "Issuer.java",
          "Membership.java",
          "ProcessGroup.java",
          "Rendezvous.java",
          "SimRuns.java",
          "StreamPool.java",
          "Streams.java",
          "Watcher.java",
          "Work.java",
          "WorkFuture.java");

  private LibraryFrames() {}

  /** "Trainer.step(Trainer.java:12)" for a lambda in that method. */
  static String withoutLambda(String frame) {
    return frame.replaceFirst("lambda\\$(\\w+)\\$\\d+\\(", "$1(");
  }

  /** Whether "ProcessGroup.allReduce(ProcessGroup.java:61)" is a frame of a library. */
  static boolean isOne(String frame) {
    int begin = frame.lastIndexOf('(') + 1;
    int end = frame.indexOf(':', begin);
    return end > begin && FILES.contains(frame.substring(begin, end));
  }
}
