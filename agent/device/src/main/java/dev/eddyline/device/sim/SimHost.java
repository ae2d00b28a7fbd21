package dev.eddyline.device.sim;

import dev.eddyline.device.DeviceException;
import dev.eddyline.device.Host;
import dev.eddyline.device.HostThread;
import dev.eddyline.device.Signal;
import dev.eddyline.marks.Marks;

/** The host of one rank. */
final class SimHost implements Host {
  private static final long START_THREAD = 30_000;
  private final SimProcess process;

  SimHost(SimProcess process) {
    this.process = process;
  }

  @Override
  public long nanoTime() {
    return SimThread.current().now;
  }

  @Override
  public void work(long nanos) {
    SimThread thread = SimThread.current();
    thread.process.world.check(thread);
    thread.now += Math.max(0, process.world.schedule.hostCost(nanos));
  }

  @Override
  public void sleep(long nanos) {
    SimThread thread = SimThread.current();
    thread.process.world.check(thread);
    long until = thread.now + Math.max(1, nanos);
    while (thread.now < until) {
      thread.sleepUntil(until, "sleeps");
    }
  }

  @Override
  public HostThread start(String name, Runnable body) {
    SimThread starter = SimThread.current();
    starter.enter();
    starter.now += START_THREAD;
    SimThread thread = new SimThread(process, name, true, starter.now);
    ThreadBody.make(thread, body::run).start();
    process.world.register(thread);
    return thread;
  }

  @Override
  public Signal signal() {
    return new SimSignal();
  }

  /** What a thread of the simulated host does from its start to its end. */
  static final class ThreadBody implements Runnable {
    /** A body that may throw. */
    interface Code {
      void run() throws Exception;
    }

    private final SimThread thread;
    private final Code code;

    private ThreadBody(SimThread thread, Code code) {
      this.thread = thread;
      this.code = code;
    }

    /** The Java thread that will carry it, not started. */
    static Thread make(SimThread thread, Code code) {
      Thread java = new Thread(new ThreadBody(thread, code), thread.describe());
      java.setDaemon(true);
      thread.carriedBy(java);
      return java;
    }

    @Override
    public void run() {
      SimThread.bind(thread);
      World world = thread.process.world;
      try {
        world.enter(thread);
        Marks.setThreadSink(mark -> thread.process.recorder.mark(thread, mark));
        code.run();
      } catch (InterruptedException e) {
        thread.failure = e;
        Thread.currentThread().interrupt();
      } catch (Exception | Error e) {
        thread.failure = e;
      } finally {
        leave(world);
        SimThread.bind(null);
      }
    }

    private void leave(World world) {
      try {
        world.leave(thread);
      } catch (DeviceException e) {
        if (thread.failure == null) {
          thread.failure = e;
        }
      } catch (RuntimeException | Error e) {
        world.fail(
            new DeviceException(
                DeviceException.Reason.DRIVER, "the simulated device is at fault: " + e, e));
      }
    }
  }
}
