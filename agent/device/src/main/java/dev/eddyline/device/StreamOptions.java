package dev.eddyline.device;

/**
 * What a stream is made with.
 *
 * @param name what traces and messages call it, "" for none
 * @param blocking whether it synchronises with the legacy default stream, as CUDA's flag 0 does
 * @param priority lower numbers run first, as in CUDA; 0 is normal
 */
public record StreamOptions(String name, boolean blocking, int priority) {
  /** A non-blocking stream of normal priority. */
  public static StreamOptions nonBlocking(String name) {
    return new StreamOptions(name, false, 0);
  }

  /** A blocking stream of normal priority. */
  public static StreamOptions blocking(String name) {
    return new StreamOptions(name, true, 0);
  }

  /** These options with another priority. */
  public StreamOptions withPriority(int newPriority) {
    return new StreamOptions(name, blocking, newPriority);
  }
}
