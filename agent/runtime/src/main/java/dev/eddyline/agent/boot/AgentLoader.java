package dev.eddyline.agent.boot;

import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Loads the agent's own classes before any others of the same name: a host that has another zstd
 * has it for itself, as a module too. All else comes from the platform's loader.
 */
final class AgentLoader extends ClassLoader {
  static {
    registerAsParallelCapable();
  }

  private final NestedJars jars;

  AgentLoader(NestedJars jars, ClassLoader parent) {
    super("eddyline-agent", parent);
    this.jars = jars;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!jars.hasClass(name)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : findClass(name);
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes = jars.takeClass(name);
    if (bytes == null) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, bytes, 0, bytes.length);
  }

  @Override
  protected @Nullable Class<?> findClass(@Nullable String moduleName, String name) {
    try {
      return loadClass(name, false);
    } catch (ClassNotFoundException none) {
      return null;
    }
  }

  @Override
  protected @Nullable URL findResource(@Nullable String moduleName, String name) {
    return findResource(name);
  }

  @Override
  protected @Nullable URL findResource(String name) {
    if (!jars.hasResource(name)) {
      return null;
    }
    try {
      return new URL("eddyline-agent", "", -1, "/" + name, new Handler(jars, name));
    } catch (MalformedURLException e) {
      return null;
    }
  }

  @Override
  protected Enumeration<URL> findResources(String name) {
    URL found = findResource(name);
    return Collections.enumeration(found == null ? List.of() : List.of(found));
  }

  private static final class Handler extends URLStreamHandler {
    private final NestedJars jars;
    private final String name;

    private Handler(NestedJars jars, String name) {
      this.jars = jars;
      this.name = name;
    }

    @Override
    protected URLConnection openConnection(URL url) {
      return new URLConnection(url) {
        @Override
        public void connect() {}

        @Override
        public InputStream getInputStream() throws IOException {
          return jars.openResource(name);
        }
      };
    }
  }
}
