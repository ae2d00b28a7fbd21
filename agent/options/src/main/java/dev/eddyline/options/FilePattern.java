package dev.eddyline.options;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;

/** Names of files with places to fill in. */
public final class FilePattern {
  /** What the places are, for people. */
  static final String PLACES = "%p is the process, %h the host, %r the rank, %t the time";

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

  private FilePattern() {}

  static void check(String pattern) throws OptionException {
    String rest = pattern.replaceAll("%[phrt%]", "");
    int at = rest.indexOf('%');
    if (at >= 0) {
      String place = rest.substring(at, Math.min(at + 2, rest.length()));
      throw new OptionException(
          "there is no '" + place + "' in the name of a file: " + PLACES + ", %% a percent sign");
    }
  }

  /** Whether two processes, or two runs, get different names. */
  public static boolean varies(String pattern) {
    return pattern.replace("%%", "").contains("%");
  }

  /** What this process puts into the places. The rank is "0" where no launcher says another. */
  public static Map<Character, String> ofThisProcess() {
    return Map.of(
        'p', Long.toString(ProcessHandle.current().pid()),
        'h', host(),
        'r', Integer.toString(Math.max(0, JobPlace.of(System.getenv()).rank())),
        't', TIME.format(Instant.now().atZone(ZoneId.systemDefault())));
  }

  private static String host() {
    String name = System.getenv("HOSTNAME");
    try {
      if (name == null || name.isBlank()) {
        name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
      }
    } catch (IOException | RuntimeException notLinux) {
      name = null;
    }
    try {
      return name == null ? InetAddress.getLocalHost().getHostName() : name;
    } catch (IOException unknown) {
      return "localhost";
    }
  }

  /** Fills the places in; what would be a path of its own in them becomes {@code _}. */
  public static Path fill(String pattern, Map<Character, String> places) {
    StringBuilder name = new StringBuilder();
    boolean place = false;
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (place) {
        name.append(places.getOrDefault(c, "%").replaceAll("[/\\\\\\x00-\\x1f]", "_"));
        place = false;
      } else if (c == '%') {
        place = true;
      } else {
        name.append(c);
      }
    }
    return Path.of(name.toString());
  }
}
