package dev.eddyline.agent.runtime;

import dev.eddyline.options.AgentOption;
import dev.eddyline.options.AgentOptions;
import dev.eddyline.options.OptionException;
import dev.eddyline.recorder.Recorder;
import dev.eddyline.recorder.Recording;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.ByteBuffer;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The agent of this JVM: starts recordings, one at a time, and ends them. There is one for as long
 * as the JVM lives. Thread-safe.
 *
 * <p>Nothing is thrown at the host: what goes wrong is a line of the log.
 */
public final class AgentMain
    implements BiFunction<String, Boolean, Consumer<ByteBuffer>>, ControlServer.Handler {
  private static final long EXIT_MILLIS = 3_000;

  private final Instrumentation instrumentation;
  private final AgentLog log = new AgentLog(System.err);
  private final MarksBridge marks = new MarksBridge();
  private @Nullable ControlServer server;
  private boolean hooked;
  private @Nullable Recording current;
  private String lastLine = "";

  /** Made once, by reflection, from the agent's first class. */
  public AgentMain(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /**
   * Starts a recording.
   *
   * @param options as they stand behind {@code -javaagent:…=}
   * @param late whether the program runs already
   * @return where marks go
   */
  @Override
  public Consumer<ByteBuffer> apply(String options, Boolean late) {
    try {
      begin(AgentOptions.parse(options));
    } catch (OptionException e) {
      say(e.getMessage() + " (nothing is recorded)");
    } catch (ControlServer.RequestException e) {
      say(String.valueOf(e.getMessage()));
    }
    if (late) {
      // Whoever attached asks there what came of it.
      listen();
    }
    return marks;
  }

  private void say(String line) {
    lastLine = line;
    log.accept(line);
  }

  private synchronized void begin(AgentOptions options) throws ControlServer.RequestException {
    if (current != null && current.isActive()) {
      throw new ControlServer.RequestException(
          "already recording, these options are ignored; 'eddyline detach' ends what runs");
    }
    log.setLevel(AgentLog.Level.valueOf(options.text(AgentOption.LOG).toUpperCase(Locale.ROOT)));
    BlockedEvents events = new BlockedEvents(options.nanos(AgentOption.JFR_OVER));
    Recording recording = Recorder.start(RecorderSetup.of(options, events), this::say);
    if (!recording.isActive()) {
      // It has said why.
      return;
    }
    current = recording;
    marks.to(recording.marks());
    int copies = marks.introduce(instrumentation, log);
    log.debug("copies of Marks that were loaded already: " + copies);
    listen();
    hook();
  }

  private synchronized void listen() {
    if (server == null) {
      try {
        server = ControlServer.open(this);
      } catch (IOException | RuntimeException | LinkageError e) {
        log.debug("no socket, so info, snapshot and detach do not reach this process: " + e);
      }
    }
  }

  private void hook() {
    if (!hooked) {
      hooked = true;
      try {
        Thread hook = new Thread(null, this::exit, "eddyline-exit", 256 << 10);
        Runtime.getRuntime().addShutdownHook(hook);
      } catch (IllegalStateException exitsAlready) {
        exit();
      }
    }
  }

  /** Ends the recording within bounded time: the program's exit never waits for long. */
  private void exit() {
    Thread end = new Thread(null, this::end, "eddyline-end", 256 << 10);
    end.setDaemon(true);
    end.start();
    try {
      end.join(EXIT_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void end() {
    marks.to(null);
    Recording ended = current;
    current = null;
    try {
      if (ended != null) {
        ended.shutdown();
      }
      if (server != null) {
        server.close();
      }
    } catch (IOException | RuntimeException e) {
      log.debug("at the end: " + e);
    }
  }

  @Override
  public String answer(String request) throws ControlServer.RequestException {
    String[] words = request.split(" ", 2);
    String argument = words.length < 2 ? "" : words[1].strip();
    return switch (words[0]) {
      case "info" -> info();
      case "detach" -> detach();
      case "snapshot" -> snapshot(argument);
      case "attach" -> attach(argument);
      default ->
          throw new ControlServer.RequestException(
              "this agent knows no request '" + words[0] + "'");
    };
  }

  private synchronized String attach(String options) throws ControlServer.RequestException {
    try {
      begin(AgentOptions.parse(options));
      if (current == null || !current.isActive()) {
        throw new ControlServer.RequestException(lastLine);
      }
      return info();
    } catch (OptionException e) {
      throw new ControlServer.RequestException(String.valueOf(e.getMessage()));
    }
  }

  private synchronized String info() {
    if (current != null) {
      return current.info();
    }
    return lastLine.isEmpty() ? "not recording" : "not recording; last was said: " + lastLine;
  }

  private synchronized String detach() throws ControlServer.RequestException {
    Recording ended = running();
    marks.to(null);
    return ended.detach();
  }

  private synchronized String snapshot(String file) throws ControlServer.RequestException {
    try {
      return running().snapshot(file.isEmpty() ? null : Path.of(file));
    } catch (InvalidPathException e) {
      throw new ControlServer.RequestException("no snapshot: " + e.getMessage());
    }
  }

  private Recording running() throws ControlServer.RequestException {
    if (current == null || !current.isActive()) {
      throw new ControlServer.RequestException("nothing is being recorded");
    }
    return current;
  }
}
