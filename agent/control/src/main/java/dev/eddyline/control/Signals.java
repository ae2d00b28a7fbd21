package dev.eddyline.control;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes signals that end programs on to another process. {@code sun.misc.Signal} is reached by
 * reflection, since there is no public way; a Java without it keeps its own behaviour, which is to
 * end.
 */
final class Signals {
  private static final List<String> PASSED = List.of("INT", "TERM", "HUP");
  private static final int STAT_GROUP = 2;
  private static final int STAT_FOREGROUND = 5;

  private Signals() {}

  /** Passes them on from now on. */
  static void passTo(Process program) {
    for (String name : PASSED) {
      handle(name, signal -> send(program, signal));
    }
  }

  private static void handle(String name, Consumer<String> receiver) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object proxy =
          Proxy.newProxyInstance(
              handler.getClassLoader(),
              new Class<?>[] {handler},
              (self, method, arguments) ->
                  answer(self, method.getName(), arguments, receiver, name));
      Object number = signal.getConstructor(String.class).newInstance(name);
      signal.getMethod("handle", signal, handler).invoke(null, number, proxy);
    } catch (ReflectiveOperationException | RuntimeException unknownHere) {
      return;
    }
  }

  private static @Nullable Object answer(
      Object self,
      String method,
      Object @Nullable [] arguments,
      Consumer<String> receiver,
      String name) {
    switch (method) {
      case "handle" -> receiver.accept(name);
      case "hashCode" -> {
        return System.identityHashCode(self);
      }
      case "equals" -> {
        return arguments != null && self == arguments[0];
      }
      default -> {
        return name;
      }
    }
    return null;
  }

  private static void send(Process program, String name) {
    // A terminal sends its interrupt to the program by itself; twice may mean something else.
    if (name.equals("INT") && isInForeground()) {
      return;
    }
    try {
      new ProcessBuilder("sh", "-c", "kill -" + name + " " + program.pid())
          .redirectErrorStream(true)
          .start()
          .waitFor();
    } catch (IOException noShell) {
      program.destroy();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether this process is in the group that the terminal sends its interrupts to. */
  private static boolean isInForeground() {
    try {
      String stat = Files.readString(Path.of("/proc/self/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      return fields[STAT_GROUP].equals(fields[STAT_FOREGROUND]);
    } catch (IOException | RuntimeException notLinux) {
      return false;
    }
  }
}
