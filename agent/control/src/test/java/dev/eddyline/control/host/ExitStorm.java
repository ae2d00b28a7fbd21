package dev.eddyline.control.host;

import dev.eddyline.recorder.standin.Play;

/** Exits while 64 threads launch. */
public final class ExitStorm {
  private ExitStorm() {}

  public static void main(String[] args) throws Exception {
    Training.run(10);
    for (int i = 0; i < 64; i++) {
      int stream = 100 + i;
      Thread thread =
          new Thread(
              () -> {
                while (true) {
                  Play.launch(stream, Play.SCALE, 1000);
                }
              });
      thread.setDaemon(i % 2 == 0);
      thread.start();
    }
    Thread.sleep(100);
    System.out.println("exits");
    System.exit(Training.EXIT_CODE);
  }
}
