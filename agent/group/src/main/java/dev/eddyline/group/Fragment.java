package dev.eddyline.group;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.Stream;
import dev.eddyline.marks.Marks;

/**
 * A part of a model that is synchronised across ranks on its own while the rest computes: streaming
 * DiLoCo. It has a stream of its own, never one from a pool.
 *
 * <pre>
 *   compute   ─step─step─┬difference┬─step─step─step──────●wait─merge─step─
 *   fragment             └──────────●wait      ●wait─outer step┘
 *   nccl                               └─all-reduce─┘
 *                        │ prepare()  │                   │ perform()
 * </pre>
 *
 * <p>The difference between global and local parameters is <em>copied</em> out on the compute
 * stream, so that compute may change its parameters right afterwards while the copy is reduced;
 * that copy is the price, one pass over the fragment. The fragment's stream waits for the
 * all-reduce at once, and all that needs the result runs there. The compute stream depends on the
 * fragment's in {@link #perform} only, on purpose; the host never waits.
 *
 * <p>One thread uses it. Parameters are single precision and stay valid until {@link #close}.
 */
public final class Fragment implements AutoCloseable {
  private final ProcessGroup group;
  private final String name;
  private final Buffer local;
  private final FragmentOptions options;
  private final Stream stream;
  private final Buffer global;
  private final Buffer momentum;
  private final Buffer difference;
  private boolean prepared;

  /**
   * Makes a fragment; its global parameters are what the local ones are now, in the order of the
   * current stream.
   *
   * @param name what traces call it and its stream: "fragment-0"
   * @param parameters the local parameters, which compute changes
   */
  public Fragment(ProcessGroup group, String name, Buffer parameters, FragmentOptions options) {
    if (parameters.type() != DataType.FLOAT32) {
      throw new IllegalArgumentException(
          "fragment '" + name + "': parameters are f32, not " + parameters.type().shortName());
    }
    this.group = group;
    this.name = name;
    this.local = parameters;
    this.options = options;
    Device device = group.device();
    device.load(TrainingKernels.ALL);
    this.stream = device.createStream(name);
    Marks.nameStream(device.ordinal(), stream.handle(), name);
    Marks.role(device.ordinal(), stream.handle(), "fragment");
    this.global = device.allocate(DataType.FLOAT32, parameters.count());
    this.momentum = device.allocate(DataType.FLOAT32, parameters.count());
    this.difference = device.allocate(DataType.FLOAT32, parameters.count());
    Stream compute = device.currentStream();
    compute.copy(global, parameters);
    compute.fill(momentum, 0);
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** Its stream. */
  public Stream stream() {
    return stream;
  }

  /** The global parameters, changed on the fragment's stream. */
  public Buffer globalParameters() {
    return global;
  }

  /**
   * Starts the synchronisation: copies the difference out in the order of the current stream, and
   * enqueues the all-reduce and the outer step beside it. Does not hold the host, and makes the
   * current stream wait for nothing.
   *
   * @return the work of the all-reduce
   * @throws IllegalStateException if it was started before and {@link #perform} not called since,
   *     or if the current stream is the fragment's own
   */
  public Work prepare() {
    Stream compute = compute("prepare()");
    if (prepared) {
      throw new IllegalStateException(
          "fragment '" + name + "': prepare() again without perform() in between");
    }
    prepared = true;
    try (Marks.Scope phase = Marks.range("prepare " + name)) {
      long count = local.count();
      compute.launch(
          TrainingKernels.DIFFERENCE,
          TrainingKernels.grid(count),
          global,
          local,
          difference,
          count);
      stream.waitFor(compute);
      Work work;
      try (Device.Scope current = group.device().use(stream)) {
        work = group.allReduce(difference);
        work.waitOnStream();
      }
      stream.launch(
          TrainingKernels.OUTER_STEP,
          TrainingKernels.grid(count),
          global,
          momentum,
          difference,
          1f / group.size(),
          options.rate(),
          options.momentum(),
          count);
      return work;
    }
  }

  /**
   * Ends the synchronisation: the current stream waits for the fragment's, and takes over the
   * global parameters, or a mixture. Does not hold the host.
   *
   * @throws IllegalStateException if there is nothing to end, or if the current stream is the
   *     fragment's own
   */
  public void perform() {
    Stream compute = compute("perform()");
    if (!prepared) {
      throw new IllegalStateException("fragment '" + name + "': perform() without prepare()");
    }
    prepared = false;
    try (Marks.Scope phase = Marks.range("perform " + name)) {
      compute.waitFor(stream);
      long count = local.count();
      compute.launch(
          TrainingKernels.MERGE,
          TrainingKernels.grid(count),
          local,
          global,
          options.keepLocal(),
          count);
    }
  }

  private Stream compute(String call) {
    Stream current = group.device().currentStream();
    if (current == stream) {
      throw new IllegalStateException(
          "fragment '"
              + name
              + "': "
              + call
              + " with the fragment's own stream as the current one; call it with the compute"
              + " stream, or computing would wait for the fragment");
    }
    return current;
  }

  /** Gives its memory and stream back; <b>blocks the host</b> until the device is done. */
  @Override
  public void close() {
    group.device().free(difference);
    group.device().free(momentum);
    group.device().free(global);
    stream.close();
  }
}
