package dev.eddyline.samples.demo;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.Event;
import dev.eddyline.device.Grid;
import dev.eddyline.device.HostBuffer;
import dev.eddyline.device.Platform;
import dev.eddyline.device.Stream;
import dev.eddyline.device.StreamPool;
import dev.eddyline.group.ProcessGroup;
import dev.eddyline.group.Work;
import dev.eddyline.group.WorkFuture;
import dev.eddyline.marks.Marks;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One rank's training, see {@link Recipe}.
 *
 * <pre>
 * compute      forward_backward, descend, pseudo_gradient
 * fragment-k   ........................................... waits for the all-reduce, outer_step
 * metrics      copies the loss; the host waits for that to log it
 * </pre>
 *
 * The streams of fragments and metrics come from a pool of 32. With the mistake so does the stream
 * of every callback behind an all-reduce: now and then it is the one that metrics uses.
 */
final class Training {
  /** Host time to prepare the next batch; one rank in turn takes longer, and then catches up. */
  private static final long LOADING = 4_400_000;

  private static final long LATE = 1_900_000;

  private final Platform platform;
  private final Device device;
  private final boolean mistake;
  private final StreamPool pool;
  private final Stream compute;
  private final Stream metrics;
  private final Event lossReady;
  private final Buffer batch;
  private final HostBuffer nextBatch;
  private final Buffer loss;
  private final HostBuffer logged;
  private final float[] losses;
  private final Fragment[] fragments = new Fragment[TinyModel.LAYERS];

  /** A layer, and what averaging it needs. */
  private static final class Fragment {
    final String name;
    final Stream stream;
    final Buffer local;
    final Buffer global;
    final Buffer gradients;
    final Buffer difference;
    @Nullable WorkFuture<Boolean> pending;

    Fragment(Training training, int layer) {
      name = "fragment-" + layer;
      stream = training.drawn(name, "fragment");
      float[] initial = TinyModel.initial()[layer];
      local = training.buffer(initial);
      global = training.buffer(initial);
      gradients = training.buffer(new float[initial.length]);
      difference = training.buffer(new float[initial.length]);
    }
  }

  private Training(Platform platform, boolean mistake, int steps) {
    this.platform = platform;
    this.device = platform.device();
    this.mistake = mistake;
    this.losses = new float[steps];
    this.pool = new StreamPool(device);
    this.compute = device.createStream("compute");
    Marks.role(device.ordinal(), compute.handle(), "compute");
    for (int layer = 0; layer < fragments.length; layer++) {
      fragments[layer] = new Fragment(this, layer);
    }
    this.metrics = drawn("metrics", "metrics");
    this.lossReady = device.createEvent("loss ready");
    this.nextBatch =
        device.allocatePageable(DataType.FLOAT32, (long) TinyModel.BATCH * TinyModel.ROW);
    this.batch = device.allocate(DataType.FLOAT32, nextBatch.count());
    this.loss = device.allocate(DataType.FLOAT32, 1);
    this.logged = device.allocatePinned(DataType.FLOAT32, 1);
  }

  private Stream drawn(String name, String role) {
    Stream stream = pool.next();
    Marks.nameStream(device.ordinal(), stream.handle(), name);
    Marks.role(device.ordinal(), stream.handle(), role);
    return stream;
  }

  private Buffer buffer(float[] values) {
    HostBuffer host = device.allocatePageable(DataType.FLOAT32, values.length);
    host.putFloats(values);
    Buffer buffer = device.allocate(DataType.FLOAT32, values.length);
    compute.copy(buffer, host);
    return buffer;
  }

  private static Grid grid(Buffer buffer) {
    return Grid.covering(buffer.count());
  }

  /**
   * Trains.
   *
   * @param mistake whether callbacks draw their stream from the pool
   * @param progress told each step that is done
   */
  static Outcome run(Platform platform, boolean mistake, int steps, IntConsumer progress) {
    Training training = new Training(platform, mistake, steps);
    try (ProcessGroup world = ProcessGroup.join(platform, "world");
        Device.Scope current = training.device.use(training.compute)) {
      for (int step = 0; step < steps; step++) {
        try (Marks.Scope mark = Marks.step("step" + step)) {
          training.step(world, step);
        }
        progress.accept(step + 1);
      }
      return training.outcome();
    }
  }

  private void step(ProcessGroup world, int step) {
    if (step >= Recipe.DELAY) {
      perform(fragments[Recipe.prepared(step - Recipe.DELAY)]);
    }
    nextBatch.putFloats(TinyModel.batch(world.rank(), step));
    compute.copy(batch, nextBatch);
    compute.launch(
        DemoKernels.FORWARD_BACKWARD,
        Grid.of(TinyModel.BATCH, 256),
        batch,
        loss,
        fragments[0].local,
        fragments[1].local,
        fragments[2].local,
        fragments[3].local,
        fragments[0].gradients,
        fragments[1].gradients,
        fragments[2].gradients,
        fragments[3].gradients);
    compute.record(lossReady);
    metrics.waitFor(lossReady);
    metrics.copy(logged, loss);
    for (Fragment each : fragments) {
      compute.launch(DemoKernels.DESCEND, grid(each.local), each.local, each.gradients);
    }
    platform.host().work(loading(world, step));
    prepare(world, fragments[Recipe.prepared(step)], step);
    logLoss(step);
  }

  private static long loading(ProcessGroup world, int step) {
    boolean late = step % world.size() == world.rank();
    boolean wasLate = step > 0 && (step - 1) % world.size() == world.rank();
    return LOADING + (late ? LATE : 0) - (wasLate ? LATE : 0);
  }

  /** Copies the difference out and starts averaging it; neither host nor compute stream waits. */
  private void prepare(ProcessGroup world, Fragment fragment, int step) {
    try (Marks.Scope phase = Marks.range("prepare " + fragment.name)) {
      compute.launch(
          DemoKernels.DIFFERENCE,
          grid(fragment.local),
          fragment.global,
          fragment.local,
          fragment.difference);
      fragment.stream.waitFor(compute);
      Work work;
      try (Device.Scope own = device.use(fragment.stream)) {
        work = world.allReduce(fragment.difference);
      }
      Stream stream = mistake ? callbackStream(step) : fragment.stream;
      fragment.pending =
          work.future()
              .then(
                  stream,
                  sums -> {
                    stream.launch(
                        DemoKernels.OUTER_STEP,
                        grid(fragment.global),
                        fragment.global,
                        sums.get(0),
                        1f / world.size());
                    return true;
                  });
    }
  }

  private Stream callbackStream(int step) {
    Stream stream = pool.next();
    if (step < pool.size()) {
      Marks.role(device.ordinal(), stream.handle(), "callback");
    }
    return stream;
  }

  /** Computing waits for the averaged parameters and mixes them in. */
  private void perform(Fragment fragment) {
    try (Marks.Scope phase = Marks.range("perform " + fragment.name)) {
      WorkFuture<Boolean> pending = fragment.pending;
      if (pending != null) {
        pending.waitOnStream();
      }
      compute.launch(DemoKernels.MERGE, grid(fragment.local), fragment.local, fragment.global);
    }
  }

  /** The host reads the loss, whose copy is done long before. */
  private void logLoss(int step) {
    try (Marks.Scope phase = Marks.range("log loss")) {
      metrics.synchronize();
      losses[step] = logged.getFloats()[0];
    }
  }

  private Outcome outcome() {
    float[][] parameters = new float[fragments.length][];
    HostBuffer[] host = new HostBuffer[fragments.length];
    for (int layer = 0; layer < fragments.length; layer++) {
      host[layer] = device.allocatePinned(DataType.FLOAT32, fragments[layer].local.count());
      compute.copy(host[layer], fragments[layer].local);
    }
    device.synchronize();
    for (int layer = 0; layer < fragments.length; layer++) {
      parameters[layer] = host[layer].getFloats();
    }
    return new Outcome(parameters, losses);
  }
}
