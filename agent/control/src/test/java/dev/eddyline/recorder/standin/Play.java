package dev.eddyline.recorder.standin;

/** A program's CUDA calls on the stand-in, whose native functions are bound to this name. */
public final class Play {
  public static final int SCALE = 0;
  public static final int ADD = 1;
  public static final int ALL_REDUCE = 2;

  static {
    System.load(System.getProperty("standin") + "/libstandin-play.so");
  }

  private Play() {}

  public static native int init();

  public static native int createStream(int stream, boolean nonBlocking);

  public static native int launch(int stream, int kernel, long nanos);

  public static native int record(int event, int stream);

  public static native int await(int stream, int event);

  public static native int synchronize(int stream, long nanos);

  public static native void threads(int threads, int launches);

  public static native double copyHeap(float[] array, long nanos);
}
