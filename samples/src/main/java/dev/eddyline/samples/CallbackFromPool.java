package dev.eddyline.samples;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.HostBuffer;
import dev.eddyline.device.Platform;
import dev.eddyline.device.Stream;
import dev.eddyline.device.StreamPool;
import dev.eddyline.group.ProcessGroup;
import dev.eddyline.group.Work;
import dev.eddyline.group.WorkFuture;
import dev.eddyline.marks.Marks;
import java.util.List;

/**
 * A continuation that divides after an all-reduce, and a sync of another fragment's stream in the
 * same step, meant for a small copy there.
 *
 * <pre>
 *   right         the continuation runs on its fragment's own stream
 *   pool          it draws its stream from the pool that the fragments' streams came from: in 2 of
 *                 64 steps that is the stream of the other fragment, and the sync there waits for
 *                 the all-reduce
 *   pool-compute  the compute stream came from the pool too: in 2 steps computing waits
 * </pre>
 */
final class CallbackFromPool implements Story {
  private static final long LOADING = 2_000_000;
  private static final long BOOKKEEPING = 100_000;
  private static final int STATE = 64;

  @Override
  public String name() {
    return "callback-from-pool";
  }

  @Override
  public String about() {
    return "a callback whose stream is sometimes another fragment's";
  }

  @Override
  public List<String> variants() {
    return List.of("right", "pool", "pool-compute");
  }

  @Override
  public int steps() {
    return 64;
  }

  private static Stream drawn(StreamPool pool, Device device, String name, String role) {
    Stream stream = pool.next();
    Marks.nameStream(device.ordinal(), stream.handle(), name);
    Marks.role(device.ordinal(), stream.handle(), role);
    return stream;
  }

  @Override
  public Numbers run(Platform platform, String variant, int steps) {
    Lab lab = new Lab(platform);
    Device device = lab.device;
    StreamPool pool = new StreamPool(device);
    Stream fragment0 = drawn(pool, device, "fragment-0", "fragment");
    Stream fragment1 = drawn(pool, device, "fragment-1", "fragment");
    boolean drawsCompute = variant.equals("pool-compute");
    Stream compute = drawsCompute ? drawn(pool, device, "compute", "compute") : lab.compute;
    Buffer parameters = lab.zeroes();
    Buffer state = lab.zeroes(STATE);
    HostBuffer report = device.allocatePinned(DataType.FLOAT32, STATE);
    // A gradient for each step: nobody has to wait before the next one is written.
    Buffer gradients = lab.zeroes((long) Lab.SIZE * steps);
    lab.order(compute, lab.compute);
    try (ProcessGroup world = ProcessGroup.join(platform, "world");
        Device.Scope current = device.use(compute)) {
      for (int step = 0; step < steps; step++) {
        platform.host().work(LOADING);
        try (Marks.Scope mark = Marks.step("step" + step)) {
          fragment1.waitFor(compute);
          fragment1.copy(report, state);

          Buffer gradient = gradients.slice((long) Lab.SIZE * step, Lab.SIZE);
          backward(lab, compute, gradient, Lab.gradient(world.rank(), step));
          fragment0.waitFor(compute);
          Work work;
          try (Device.Scope own = device.use(fragment0)) {
            work = world.allReduce(gradient);
          }
          Stream callback = variant.equals("right") ? fragment0 : drawnCallback(pool, device, step);
          WorkFuture<Boolean> divided =
              work.future()
                  .then(
                      callback,
                      results -> {
                        lab.divide(callback, results.get(0), world.size());
                        return true;
                      });
          divided.waitOnStream(fragment0);
          lab.descend(fragment0, parameters, gradient, 1);

          platform.host().work(BOOKKEEPING);
          fragment1.synchronize();
        }
      }
      float[] numbers = lab.readAtEnd(fragment0, parameters);
      return Numbers.compare(numbers, expected(world.size(), steps), 0);
    }
  }

  private static Stream drawnCallback(StreamPool pool, Device device, int step) {
    Stream stream = pool.next();
    if (step < pool.size()) {
      Marks.role(device.ordinal(), stream.handle(), "callback");
    }
    return stream;
  }

  private static void backward(Lab lab, Stream compute, Buffer gradient, float value) {
    long nanos = (300 + 500L * lab.platform.rank()) * 1_000;
    compute.launch(Kernels.BACKWARD, Lab.GRID, gradient, value, nanos, gradient.count());
  }

  private static float expected(int ranks, int steps) {
    float parameter = 0;
    for (int step = 0; step < steps; step++) {
      parameter -= Lab.sumOfGradients(ranks, step) / ranks;
    }
    return parameter;
  }
}
