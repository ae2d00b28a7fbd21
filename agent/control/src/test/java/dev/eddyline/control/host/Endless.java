package dev.eddyline.control.host;

import dev.eddyline.recorder.standin.Play;

/** Trains until it is ended from outside, or until somebody writes a line to it. */
public final class Endless {
  private Endless() {}

  public static void main(String[] args) throws Exception {
    Training.run(10);
    System.out.println("ready");
    long steps = 0;
    while (System.in.available() == 0) {
      Training.step();
      if (++steps % 20 == 0) {
        Play.synchronize(6, 1_000_000);
      }
    }
    System.out.println("ended by itself");
    System.exit(Training.EXIT_CODE);
  }
}
