package dev.eddyline.device.sim;

import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Looks, in real time, whether the thread that runs stands still somewhere outside of the simulated
 * host while others wait for it. That would never end: the others cannot run.
 */
final class Watch {
  private static final long LOOK_MILLIS = 50;
  private static final int MOST_FRAMES = 3;

  private final World world;
  private final long limitMillis;
  private final Thread thread;

  Watch(World world, long limitMillis) {
    this.world = world;
    this.limitMillis = limitMillis;
    this.thread = new Thread(this::look, "eddyline simulation watch");
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  void stop() {
    thread.interrupt();
  }

  private void look() {
    long ticks = -1;
    @Nullable SimThread holder = null;
    long stillSince = System.nanoTime();
    try {
      while (!Thread.currentThread().isInterrupted()) {
        Thread.sleep(LOOK_MILLIS);
        SimThread running = world.running();
        boolean still =
            running != null
                && running == holder
                && world.ticks() == ticks
                && world.living() > 1
                && stands(running.java().getState());
        if (!still) {
          holder = running;
          ticks = world.ticks();
          stillSince = System.nanoTime();
        } else if ((System.nanoTime() - stillSince) / 1_000_000 >= limitMillis) {
          if (blame(running)) {
            return;
          }
          stillSince = System.nanoTime();
        }
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean stands(Thread.State state) {
    return state == Thread.State.WAITING
        || state == Thread.State.TIMED_WAITING
        || state == Thread.State.BLOCKED;
  }

  /** Whether it really stands outside: a thread that is slow to take its turn does not. */
  private boolean blame(@Nullable SimThread standing) {
    if (standing == null) {
      return false;
    }
    StackTraceElement[] stack = standing.java().getStackTrace();
    if (Arrays.stream(stack).anyMatch(Watch::isTakingTurn)) {
      return false;
    }
    String frames =
        Arrays.stream(stack)
            .filter(frame -> !frame.getClassName().startsWith("jdk.internal."))
            .filter(Watch::isTelling)
            .limit(MOST_FRAMES)
            .map(StackTraceElement::toString)
            .collect(Collectors.joining(" < "));
    world.fail(
        new DeviceException(
            Reason.BLOCKED_OUTSIDE,
            String.format(
                Locale.ROOT,
                "%s stands still outside of the simulated host, while other threads wait for their"
                    + " turn: %s. On the simulated device one host thread runs at a time, so what"
                    + " it waits for cannot come. Wait through Host.signal(), Store or"
                    + " HostThread.join() of the platform, and hold no lock across device calls.",
                standing.describe(),
                frames)));
    standing.java().interrupt();
    return true;
  }

  private static boolean isTakingTurn(StackTraceElement frame) {
    return frame.getClassName().equals(World.class.getName())
        && frame.getMethodName().equals("awaitBaton");
  }

  private static boolean isTelling(StackTraceElement frame) {
    String type = frame.getClassName();
    return !type.startsWith("java.util.concurrent.locks.") && !type.startsWith("java.lang.Thread");
  }
}
