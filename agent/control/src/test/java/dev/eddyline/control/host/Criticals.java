package dev.eddyline.control.host;

import dev.eddyline.recorder.standin.Play;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Copies heap arrays inside JNI critical regions, from two threads, while two others allocate; the
 * copies block long enough for their stacks to be taken.
 */
public final class Criticals {
  private static final int LENGTH = 100_000;
  private static volatile boolean over;
  private static volatile Object sink = "";

  private Criticals() {}

  public static void main(String[] args) throws Exception {
    long millis = Long.parseLong(args[0]);
    Play.init();
    AtomicLong copies = new AtomicLong();
    AtomicLong wrong = new AtomicLong();
    Thread[] threads = new Thread[4];
    for (int i = 0; i < threads.length; i++) {
      boolean allocates = i < 2;
      threads[i] =
          new Thread(allocates ? Criticals::allocate : () -> copy(copies, wrong), "work-" + i);
      threads[i].start();
    }
    Thread.sleep(millis);
    over = true;
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println("copies " + copies + " wrong " + wrong);
    System.exit(Training.EXIT_CODE);
  }

  private static void allocate() {
    byte[][] kept = new byte[256][];
    for (int i = 0; !over; i++) {
      kept[i & 255] = new byte[16 << 10];
      sink = kept;
    }
  }

  private static void copy(AtomicLong copies, AtomicLong wrong) {
    float[] array = new float[LENGTH];
    java.util.Arrays.fill(array, 1);
    for (int i = 0; !over; i++) {
      long hold = i % 8 == 0 ? 600_000 : 0;
      if (Play.copyHeap(array, hold) != LENGTH) {
        wrong.incrementAndGet();
      }
      copies.incrementAndGet();
      if (i % 100 == 0) {
        array = array.clone();
      }
    }
  }
}
