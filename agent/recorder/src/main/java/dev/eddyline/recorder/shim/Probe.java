package dev.eddyline.recorder.shim;

/**
 * A program that launches an empty kernel for a while, for {@code eddyline doctor} to record. Its
 * shim is one of its own, which records nothing.
 */
public final class Probe {
  private static final int NO_DRIVER = -1;
  private static final int TOO_OLD = -2;
  private static final int ERROR = -1000;

  private Probe() {}

  /**
   * Launches; prints how often, or why it could not.
   *
   * @param arguments for how many milliseconds
   */
  public static void main(String[] arguments) {
    String failure = ShimLibrary.load();
    if (failure != null) {
      end(failure);
    }
    long made = launch(1_000_000 * Long.parseLong(arguments[0]));
    if (made == NO_DRIVER) {
      end("there is no libcuda.so.1");
    } else if (made == TOO_OLD) {
      end("libcuda.so.1 lacks functions");
    } else if (made < 0) {
      end("CUDA error " + (ERROR - made));
    }
    System.out.println("launched " + made);
  }

  private static void end(String why) {
    System.out.println("failed " + why);
    System.exit(1);
  }

  /** Launches for so many nanoseconds; how often, or a negative code. */
  private static native long launch(long nanos);
}
