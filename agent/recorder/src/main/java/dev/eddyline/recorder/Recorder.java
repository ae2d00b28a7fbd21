package dev.eddyline.recorder;

import dev.eddyline.recorder.shim.ShimLibrary;
import java.util.function.Consumer;

/** Starts recordings. One at a time can run in a process. */
public final class Recorder {
  private Recorder() {}

  /**
   * Starts one. It makes no file and loads no CUDA library before the program uses CUDA. What goes
   * wrong, now or later, makes it inert and is told in one line.
   *
   * <p>Threads of its own are daemons, named {@code eddyline-…}.
   *
   * @param log takes lines for people, without prefix: one at the start of recording, one at its
   *     end, and one for what went wrong
   */
  public static Recording start(RecorderOptions options, Consumer<String> log) {
    try {
      String failure = ShimLibrary.load();
      if (failure != null) {
        log.accept("not recording: " + failure);
        return new InertRecording(failure);
      }
      return RecordingSession.start(options, log);
    } catch (RuntimeException | LinkageError e) {
      log.accept("not recording: " + e);
      return new InertRecording(e.toString());
    }
  }
}
