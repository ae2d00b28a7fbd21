package dev.eddyline.viewer.app;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * What the viewer remembers from one time to the next: files opened last, theme, size of letters.
 * Kept in {@code $XDG_CONFIG_HOME/eddyline/viewer.properties}, or under {@code ~/.config}; where
 * that cannot be read or written the viewer works without.
 */
final class Settings {
  private static final int MOST_RECENT = 12;
  private final Path file;
  private final Properties values = new Properties();

  Settings(Path file) {
    this.file = file;
    if (Files.isRegularFile(file)) {
      try (var reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
        values.load(reader);
      } catch (IOException | IllegalArgumentException e) {
        values.clear();
      }
    }
  }

  /** Where settings are kept; the system property {@code eddyline.viewer.settings} comes first. */
  static Path place() {
    String named = System.getProperty("eddyline.viewer.settings");
    if (named != null) {
      return Path.of(named);
    }
    String config = System.getenv("XDG_CONFIG_HOME");
    Path folder =
        config == null || config.isEmpty()
            ? Path.of(System.getProperty("user.home", "."), ".config")
            : Path.of(config);
    return folder.resolve("eddyline").resolve("viewer.properties");
  }

  /** Files opened last, the latest first. */
  List<String> recent() {
    List<String> files = new ArrayList<>();
    for (int i = 0; i < MOST_RECENT; i++) {
      String name = values.getProperty("recent." + i);
      if (name != null) {
        files.add(name);
      }
    }
    return files;
  }

  /** Puts a file first. */
  void opened(String name) {
    List<String> files = new ArrayList<>(recent());
    files.remove(name);
    files.add(0, name);
    for (int i = 0; i < Math.min(MOST_RECENT, files.size()); i++) {
      values.setProperty("recent." + i, files.get(i));
    }
    save();
  }

  boolean dark() {
    return !"light".equals(values.getProperty("theme"));
  }

  void dark(boolean dark) {
    values.setProperty("theme", dark ? "dark" : "light");
    save();
  }

  /** Size of letters, 1 by default. */
  double uiScale() {
    try {
      double scale = Double.parseDouble(values.getProperty("scale", "1"));
      return scale >= 0.5 && scale <= 3 ? scale : 1;
    } catch (NumberFormatException e) {
      return 1;
    }
  }

  void uiScale(double scale) {
    values.setProperty("scale", Double.toString(scale));
    save();
  }

  private void save() {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      try (var writer = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
        values.store(writer, null);
      }
    } catch (IOException e) {
      // The next start has forgotten; nothing else depends on it.
      values.remove("unsaved");
    }
  }
}
