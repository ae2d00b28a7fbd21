package dev.eddyline.junit;

/** Tells frames of Eddyline's own libraries, which traces write with their packages. */
final class LibraryFrames {
  private static final String OWN = "dev.eddyline.";

  private LibraryFrames() {}

  /** "Trainer.step(Trainer.java:12)" for a lambda in that method. */
  static String withoutLambda(String frame) {
    return frame.replaceFirst("lambda\\$(\\w+)\\$\\d+\\(", "$1(");
  }

  /** Whether "dev.eddyline.group.ProcessGroup.allReduce(ProcessGroup.java:61)" is one. */
  static boolean isOne(String frame) {
    return frame.startsWith(OWN);
  }
}
