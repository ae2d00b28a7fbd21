package dev.eddyline.control.host;

import dev.eddyline.marks.Marks;
import dev.eddyline.recorder.standin.Play;

/** Trains and marks its steps. */
public final class Marked {
  private Marked() {}

  public static void main(String[] args) throws Exception {
    Play.init();
    Play.createStream(5, true);
    Play.createStream(6, true);
    // The recorder begins at the first call of CUDA, on another thread.
    Thread.sleep(500);
    for (int i = 0; i < 5; i++) {
      Marks.beginStep("step " + i);
      Training.step();
      Play.synchronize(6, 1_000_000);
      Marks.end();
    }
    System.out.println("done marked");
    System.exit(Training.EXIT_CODE);
  }
}
