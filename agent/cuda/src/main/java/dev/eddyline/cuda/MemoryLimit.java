package dev.eddyline.cuda;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.bytedeco.javacpp.Pointer;
import org.jspecify.annotations.Nullable;

/** Warns of JavaCPP's own limit on the memory of the process, which counts pinned memory. */
final class MemoryLimit {
  static final String PROPERTY = "org.bytedeco.javacpp.maxPhysicalBytes";
  private static final String OLD_PROPERTY = "org.bytedeco.javacpp.maxphysicalbytes";
  private static final double GIB = 1L << 30;
  private static final AtomicBoolean SAID = new AtomicBoolean();

  private MemoryLimit() {}

  static void adviseOnce() {
    String set = System.getProperty(PROPERTY, System.getProperty(OLD_PROPERTY));
    String advice =
        advice(
            set,
            Pointer.maxPhysicalBytes(),
            Runtime.getRuntime().maxMemory(),
            Pointer.physicalBytes());
    if (advice != null && SAID.compareAndSet(false, true)) {
      System.getLogger("dev.eddyline.cuda").log(System.Logger.Level.WARNING, advice);
    }
  }

  /**
   * What to say, if anything.
   *
   * @param set the value of the property, null if it is at its default
   * @param limit the limit in force, in bytes
   * @param heap the largest heap, in bytes
   * @param used what the process holds now, in bytes
   */
  static @Nullable String advice(@Nullable String set, long limit, long heap, long used) {
    if (set != null || limit <= 0) {
      return null;
    }
    return String.format(
        Locale.ROOT,
        "JavaCPP stops this process at %.1f GiB of memory (4 x the largest heap of %.1f GiB),"
            + " pinned and mapped memory counted; it holds %.1f GiB now. Near the limit JavaCPP"
            + " collects garbage ten times over, about a second, and then throws. Start with"
            + " -D%s=0",
        limit / GIB,
        heap / GIB,
        used / GIB,
        PROPERTY);
  }
}
