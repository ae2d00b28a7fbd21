package dev.eddyline.agent.boot;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The classes and resources of the jars inside the agent's jar. Classes are kept until they are
 * taken; a resource is read from the file when it is asked for, since native libraries are large
 * and most of them are for other platforms.
 *
 * <p>Thread-safe.
 */
final class NestedJars {
  private static final String FOLDER = "eddyline/";
  private static final String CLASS = ".class";

  private final File file;
  private final Map<String, byte[]> classes = new HashMap<>();
  private final Set<String> classNames = new TreeSet<>();
  private final Map<String, String> jarOfResource = new HashMap<>();

  private NestedJars(File file) {
    this.file = file;
  }

  /**
   * Reads what there is.
   *
   * @throws IOException if the file or a jar in it cannot be read
   */
  static NestedJars read(File file) throws IOException {
    NestedJars jars = new NestedJars(file);
    try (JarFile outer = new JarFile(file)) {
      Enumeration<JarEntry> entries = outer.entries();
      while (entries.hasMoreElements()) {
        JarEntry entry = entries.nextElement();
        if (entry.getName().startsWith(FOLDER) && entry.getName().endsWith(".jar")) {
          try (InputStream bytes = outer.getInputStream(entry)) {
            jars.add(entry.getName(), bytes);
          } catch (IOException e) {
            throw new IOException(entry.getName() + " in " + file + " is damaged", e);
          }
        }
      }
    }
    return jars;
  }

  private void add(String jar, InputStream bytes) throws IOException {
    int found = 0;
    ZipInputStream inner = new ZipInputStream(bytes);
    for (ZipEntry e = inner.getNextEntry(); e != null; e = inner.getNextEntry()) {
      String name = e.getName();
      found++;
      if (name.endsWith("module-info.class") || name.startsWith("META-INF/") || e.isDirectory()) {
        continue;
      }
      if (name.endsWith(CLASS)) {
        String className = name.substring(0, name.length() - CLASS.length()).replace('/', '.');
        if (classNames.add(className)) {
          classes.put(className, inner.readAllBytes());
        }
      } else {
        jarOfResource.putIfAbsent(name, jar);
      }
    }
    if (found == 0) {
      throw new IOException("no jar");
    }
  }

  /** Whether the class is one of these. */
  boolean hasClass(String name) {
    return classNames.contains(name);
  }

  /** The bytes of a class, once; null afterwards or if there is no such class. */
  byte @Nullable [] takeClass(String name) {
    synchronized (classes) {
      return classes.remove(name);
    }
  }

  /** The packages of the classes. */
  Set<String> packages() {
    Set<String> packages = new TreeSet<>();
    for (String name : classNames) {
      packages.add(name.substring(0, name.lastIndexOf('.')));
    }
    return packages;
  }

  /** Whether there is a resource of that name. */
  boolean hasResource(String name) {
    return jarOfResource.containsKey(name);
  }

  /**
   * A resource, read now.
   *
   * @throws IOException if there is none or the file is no longer what it was
   */
  InputStream openResource(String name) throws IOException {
    String jar = jarOfResource.get(name);
    try (JarFile outer = new JarFile(file)) {
      ZipEntry entry = jar == null ? null : outer.getEntry(jar);
      if (entry != null) {
        ZipInputStream inner = new ZipInputStream(outer.getInputStream(entry));
        for (ZipEntry e = inner.getNextEntry(); e != null; e = inner.getNextEntry()) {
          if (e.getName().equals(name)) {
            return new ByteArrayInputStream(inner.readAllBytes());
          }
        }
      }
    }
    throw new IOException("no " + name + " in " + file);
  }
}
