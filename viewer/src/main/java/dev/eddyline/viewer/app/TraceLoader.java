package dev.eddyline.viewer.app;

import dev.eddyline.analysis.importer.ReadOptions;
import dev.eddyline.analysis.importer.TraceReadLimits;
import dev.eddyline.analysis.importer.Traces;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.viewer.model.TraceModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import javafx.application.Platform;

/**
 * Opens traces on a thread of its own and tells the FX thread how far it is. A new one cancels the
 * one before: what that still finds is dropped.
 */
final class TraceLoader {
  /** Told on the FX thread. */
  interface Listener {
    /**
     * Reading goes on.
     *
     * @param share 0 to 1, or -1 while the analysis runs
     */
    void progress(double share, String words);

    /** The trace is open. */
    void opened(TraceModel model, List<Path> files);

    /** It could not be read; the message is one line for the user. */
    void failed(String message);
  }

  private AtomicBoolean cancelled = new AtomicBoolean();

  /** Stops what is being loaded. */
  void cancel() {
    cancelled.set(true);
  }

  /** Opens files as one trace. */
  void open(List<String> files, Listener listener) {
    cancel();
    AtomicBoolean stop = new AtomicBoolean();
    cancelled = stop;
    Thread thread = new Thread(() -> load(files, listener, stop), "eddyline-viewer-load");
    thread.setDaemon(true);
    thread.start();
  }

  private static void load(List<String> names, Listener listener, AtomicBoolean stop) {
    Consumer<Runnable> tell =
        what ->
            Platform.runLater(
                () -> {
                  if (!stop.get()) {
                    what.run();
                  }
                });
    try {
      List<Path> files = Traces.resolve(names);
      long total = 0;
      for (Path file : files) {
        total += Files.size(file);
      }
      long whole = Math.max(1, total);
      String size = String.format(Locale.ROOT, "%.1f MB", whole / 1e6);
      tell.accept(() -> listener.progress(0, "reading " + size));
      ReadOptions options =
          new ReadOptions(
              false,
              TraceReadLimits.defaults(),
              bytes -> {
                if (stop.get()) {
                  throw new CancellationException();
                }
                tell.accept(() -> listener.progress(bytes / (double) whole, "reading " + size));
              });
      Timeline timeline = Traces.open(files, options);
      if (stop.get()) {
        return;
      }
      tell.accept(() -> listener.progress(-1, "analysing"));
      String name =
          files.get(0).getFileName()
              + (files.size() > 1 ? " and " + (files.size() - 1) + " more" : "");
      TraceModel model = TraceModel.of(name, timeline);
      tell.accept(() -> listener.opened(model, files));
    } catch (CancellationException e) {
      // Nobody waits for it any more.
      stop.set(true);
    } catch (IOException e) {
      tell.accept(() -> listener.failed(String.valueOf(e.getMessage())));
    } catch (OutOfMemoryError e) {
      tell.accept(
          () -> listener.failed("not enough memory: set EDDYLINE_JAVA_OPTS=-Xmx8g or more"));
    } catch (RuntimeException | StackOverflowError e) {
      tell.accept(() -> listener.failed("internal error: " + e));
    }
  }
}
