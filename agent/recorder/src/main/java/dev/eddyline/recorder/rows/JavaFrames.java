package dev.eddyline.recorder.rows;

import dev.eddyline.recorder.shim.Shim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Words for the frames that the shim copied: {@code Trainer.step(Trainer.java:12)}, with the
 * package where the class belongs to the JDK or to a library that binds CUDA. For the thread that
 * drains.
 */
public final class JavaFrames {
  private static final int REMEMBERED = 1 << 16;
  private static final String GONE = "(unloaded)";
  private static final List<String> LIBRARIES =
      List.of(
          "java.",
          "javax.",
          "jdk.",
          "sun.",
          "com.sun.",
          "org.bytedeco.",
          "jcuda.",
          "ai.djl.",
          "dev.eddyline.cuda.",
          "dev.eddyline.device.",
          "dev.eddyline.group.",
          "dev.eddyline.marks.");

  private record Place(long method, long location) {}

  private final Map<Place, String> words = new HashMap<>();
  private final int[] line = new int[1];
  private boolean virtual;

  /**
   * The frames of a call that the shim took, innermost first.
   *
   * @param numbers as {@link Shim#takeBlocked} filled them
   */
  public List<String> of(long[] numbers, int frames) {
    List<String> found = new ArrayList<>(frames);
    virtual = false;
    for (int i = 0; i < frames; i++) {
      Place place =
          new Place(
              numbers[Shim.BLOCKED_HEAD + i], numbers[Shim.BLOCKED_HEAD + Shim.MAX_FRAMES + i]);
      String text = words.get(place);
      if (text == null) {
        text = words(place);
        if (words.size() < REMEMBERED) {
          words.put(place, text);
        }
      }
      virtual |= text.startsWith("java.lang.VirtualThread.run");
      found.add(text);
    }
    return found;
  }

  /** Whether the frames asked for last belong to a virtual thread. */
  public boolean isVirtual() {
    return virtual;
  }

  private String words(Place place) {
    String[] method = Shim.method(place.method(), place.location(), line);
    return method == null ? GONE : words(method[0], method[1], method[2], line[0]);
  }

  /**
   * The words for a frame.
   *
   * @param signature of the class, {@code Lpack/Type;}
   * @param file name of the source file, "" if not known
   * @param line -1 if not known; with a location of -1 the method is native
   */
  static String words(String signature, String name, @Nullable String file, int line) {
    String type =
        signature.startsWith("L") && signature.endsWith(";")
            ? signature.substring(1, signature.length() - 1).replace('/', '.')
            : signature;
    boolean library = LIBRARIES.stream().anyMatch(type::startsWith);
    String shown = library ? type : type.substring(type.lastIndexOf('.') + 1);
    String where = file == null || file.isEmpty() ? "Unknown Source" : file;
    return shown + '.' + name + '(' + where + (line >= 0 ? ":" + line : "") + ')';
  }
}
