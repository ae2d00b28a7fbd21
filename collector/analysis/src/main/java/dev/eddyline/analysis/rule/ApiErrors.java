package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.timeline.CallView;
import dev.eddyline.analysis.timeline.Timeline;
import java.util.Map;

/** Return codes of CUDA's runtime; those of the driver API have the same numbers. */
final class ApiErrors {
  private static final int NOT_READY = 600;
  private static final int FIRST_OF_CAPTURE = 900;
  private static final int LAST_OF_CAPTURE = 908;

  /** Errors that an op leaves behind: any later call may be the one that returns them. */
  private static final Map<Integer, String> STICKY =
      Map.ofEntries(
          Map.entry(214, "uncorrectable memory error"),
          Map.entry(220, "uncorrectable NVLink error"),
          Map.entry(700, "illegal address"),
          Map.entry(702, "launch timeout"),
          Map.entry(710, "device-side assert"),
          Map.entry(714, "hardware stack error"),
          Map.entry(715, "illegal instruction"),
          Map.entry(716, "misaligned address"),
          Map.entry(717, "invalid address space"),
          Map.entry(718, "invalid program counter"),
          Map.entry(719, "launch failure"),
          Map.entry(721, "contained by another context"));

  private static final Map<Integer, String> HANDLES =
      Map.of(
          101, "invalid device",
          201, "invalid context",
          400, "invalid resource handle",
          709, "context is destroyed");

  private static final Map<Integer, String> CAPTURE =
      Map.of(
          900, "not permitted while a stream captures",
          901, "the capture was invalidated",
          902, "two captures would merge",
          903, "the capture was not begun here",
          904, "a stream was not joined",
          905, "would make a capturing stream depend on one that does not capture",
          906, "would make the legacy default stream wait for the capture",
          907, "the event was recorded in a capture",
          908, "ended by another thread than began it");

  private ApiErrors() {}

  /** Whether the trace holds return codes at all. */
  static boolean areThere(Timeline timeline) {
    CallView call = timeline.calls();
    for (int i = 0; i < call.size(); i++) {
      if (call.at(i).result() >= 0) {
        return true;
      }
    }
    return false;
  }

  static boolean isError(long result) {
    return result > 0 && result != NOT_READY;
  }

  static boolean isSticky(long result) {
    return STICKY.containsKey((int) result);
  }

  static boolean isWrongHandle(long result) {
    return HANDLES.containsKey((int) result);
  }

  static boolean isOfCapture(long result) {
    return result >= FIRST_OF_CAPTURE && result <= LAST_OF_CAPTURE;
  }

  /** "700, illegal address". */
  static String words(long result) {
    int code = (int) result;
    String word = STICKY.getOrDefault(code, HANDLES.getOrDefault(code, CAPTURE.get(code)));
    return word == null ? Long.toString(result) : result + ", " + word;
  }
}
