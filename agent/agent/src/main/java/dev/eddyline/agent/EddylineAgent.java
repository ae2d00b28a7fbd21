package dev.eddyline.agent;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarInputStream;

/**
 * Where a JVM enters the agent, at its start or later. All that it does is done by classes that a
 * loader of their own reads from the jars inside the agent's jar; this one is compiled for Java 8,
 * so that an older JVM gets a sentence and not an error. Nothing is thrown at the host.
 *
 * <p>It is itself the loader of the first of these classes, so that the system class loader sees no
 * other class of Eddyline.
 */
public final class EddylineAgent extends ClassLoader {
  private static final String FIRST = "dev.eddyline.agent.boot.Boot";
  private static final String FIRST_JAR = "eddyline/eddyline-agent-runtime.jar";
  private static final int OLDEST_JAVA = 17;

  private static volatile Consumer<ByteBuffer> marks;
  private static BiFunction<String, Boolean, Consumer<ByteBuffer>> runtime;

  private final Map<String, byte[]> classes = new HashMap<>();

  private EddylineAgent(ClassLoader parent) {
    super(parent);
  }

  /** The JVM calls it before the program's main method. */
  public static void premain(String options, Instrumentation instrumentation) {
    start(options, instrumentation, false);
  }

  /** The JVM calls it when somebody attaches. */
  public static void agentmain(String options, Instrumentation instrumentation) {
    start(options, instrumentation, true);
  }

  /** Where marks of the program go, null if nowhere; the class Marks asks. */
  public static Consumer<ByteBuffer> marks() {
    return marks;
  }

  private static synchronized void start(
      String options, Instrumentation instrumentation, boolean late) {
    try {
      String version = System.getProperty("java.specification.version", "");
      if (major(version) < OLDEST_JAVA) {
        say(
            "needs Java "
                + OLDEST_JAVA
                + ", and this is Java "
                + version
                + ": nothing is recorded");
        return;
      }
      if (runtime == null) {
        runtime = load(instrumentation);
      }
      marks = runtime.apply(options == null ? "" : options, late);
    } catch (Throwable e) {
      try {
        say("the agent cannot start, nothing is recorded: " + reason(e));
      } catch (Throwable alsoThat) {
        // The host comes first.
      }
    }
  }

  private static int major(String version) {
    try {
      return (int) Double.parseDouble(version);
    } catch (NumberFormatException unknown) {
      return Integer.MAX_VALUE;
    }
  }

  private static String reason(Throwable e) {
    Throwable cause = e;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    return String.valueOf(cause).replace('\n', ' ');
  }

  private static void say(String line) {
    System.err.println("eddyline: " + line);
  }

  @SuppressWarnings("unchecked")
  private static BiFunction<String, Boolean, Consumer<ByteBuffer>> load(
      Instrumentation instrumentation) throws Exception {
    File jar =
        new File(EddylineAgent.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    EddylineAgent loader = new EddylineAgent(ClassLoader.getSystemClassLoader().getParent());
    loader.read(jar);
    return (BiFunction<String, Boolean, Consumer<ByteBuffer>>)
        loader
            .loadClass(FIRST)
            .getMethod("boot", File.class, Instrumentation.class)
            .invoke(null, jar, instrumentation);
  }

  private void read(File jar) throws IOException {
    try (JarFile outer = new JarFile(jar)) {
      JarEntry inner = outer.getJarEntry(FIRST_JAR);
      if (inner == null) {
        throw new IOException(jar + " has no " + FIRST_JAR);
      }
      String wanted = FIRST.substring(0, FIRST.lastIndexOf('.') + 1).replace('.', '/');
      try (JarInputStream entries = new JarInputStream(outer.getInputStream(inner), false)) {
        for (JarEntry e = entries.getNextJarEntry(); e != null; e = entries.getNextJarEntry()) {
          if (e.getName().startsWith(wanted) && e.getName().endsWith(".class")) {
            String name = e.getName().substring(0, e.getName().length() - ".class".length());
            classes.put(name.replace('/', '.'), all(entries));
          }
        }
      }
    }
  }

  private static byte[] all(InputStream from) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] part = new byte[1 << 13];
    for (int n = from.read(part); n >= 0; n = from.read(part)) {
      bytes.write(part, 0, n);
    }
    return bytes.toByteArray();
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes = classes.remove(name);
    if (bytes == null) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, bytes, 0, bytes.length);
  }
}
