package dev.eddyline.control.host;

import dev.eddyline.recorder.standin.Play;

/** Launches on two streams that wait for each other, then exits with code 7. */
public final class Training {
  public static final int EXIT_CODE = 7;

  private Training() {}

  public static void main(String[] args) {
    long sum = run(Integer.parseInt(args[0]));
    System.out.println("done " + sum);
    if (args.length > 1) {
      throw new IllegalStateException(args[1]);
    }
    System.exit(EXIT_CODE);
  }

  static long run(int iterations) {
    Play.init();
    Play.createStream(5, true);
    Play.createStream(6, true);
    long sum = 0;
    for (int i = 0; i < iterations; i++) {
      step();
      sum = 31 * sum + i;
      if (i % 50 == 49) {
        Play.synchronize(6, 2_000_000);
      }
    }
    return sum;
  }

  static void step() {
    Play.launch(5, Play.SCALE, 1000);
    Play.record(1, 5);
    Play.await(6, 1);
    Play.launch(6, Play.ADD, 1000);
  }
}
