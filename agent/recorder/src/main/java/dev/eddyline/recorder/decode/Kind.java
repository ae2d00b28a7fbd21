package dev.eddyline.recorder.decode;

/** CUPTI's kinds of activity records. */
public final class Kind {
  public static final int MEMCPY = 1;
  public static final int MEMSET = 2;
  public static final int KERNEL = 3;
  public static final int DRIVER = 4;
  public static final int RUNTIME = 5;
  public static final int DEVICE = 8;
  public static final int CONTEXT = 9;
  public static final int CONCURRENT_KERNEL = 10;
  public static final int OVERHEAD = 17;
  public static final int MEMCPY2 = 22;
  public static final int CUDA_EVENT = 36;
  public static final int STREAM = 37;
  public static final int SYNCHRONIZATION = 38;
  public static final int EXTERNAL_CORRELATION = 39;
  public static final int MEMORY2 = 49;

  private Kind() {}
}
