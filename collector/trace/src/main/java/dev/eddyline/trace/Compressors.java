package dev.eddyline.trace;

/** Finds the compressor that can be had in this JVM. */
final class Compressors {
  /** System property; {@code off} leaves zstd-jni alone. */
  static final String PROPERTY = "dev.eddyline.zstd";

  private Compressors() {}

  /**
   * zstd-jni where it can be loaded, else {@link RawBlocks}: no such class, a temporary folder from
   * which nothing may be loaded, an architecture that it does not know.
   */
  static Compressor best(int level) {
    if ("off".equals(System.getProperty(PROPERTY))) {
      return new RawBlocks();
    }
    try {
      return new ZstdJni(level);
    } catch (LinkageError | RuntimeException cannotBeLoaded) {
      return new RawBlocks();
    }
  }
}
