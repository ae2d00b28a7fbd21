package dev.eddyline.device.sim;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.Communicator;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.Event;
import dev.eddyline.device.Grid;
import dev.eddyline.device.Kernel;
import dev.eddyline.device.Platform;
import dev.eddyline.device.ReduceOp;
import dev.eddyline.device.Stream;
import dev.eddyline.marks.Marks;
import java.util.Locale;

/**
 * Measures how fast the simulated device is: stream operations of one rank, and a loop like
 * DiLoCo's on many. Run by hand: {@code SimSpeed [ranks] [steps] [repetitions]}.
 */
final class SimSpeed {
  private static final Kernel NOTHING = Kernel.named("nothing").takes(5_000).build();
  private static final Kernel LAYER = Kernel.named("forward_backward").takes(300_000).build();
  private static final Kernel GRADIENT =
      Kernel.named("gradient")
          .body(
              arguments -> {
                var values = arguments.floats(0);
                for (int i = 0; i < values.limit(); i++) {
                  values.put(i, values.get(i) * 0.9f + 0.1f);
                }
              })
          .takes(40_000)
          .build();
  private static final Grid GRID = Grid.of(64, 256);
  private static final int ROUNDS = 200_000;
  private static final int LAYERS = 8;
  private static final int FRAGMENTS = 4;

  private SimSpeed() {}

  public static void main(String[] arguments) {
    int ranks = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 64;
    int steps = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1000;
    int repetitions = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 5;
    for (int i = 0; i < repetitions; i++) {
      report("one rank, two streams", SimOptions.defaults(), SimSpeed::pingPong);
    }
    for (int i = 0; i < repetitions; i++) {
      report(
          ranks + " ranks, " + steps + " steps",
          SimOptions.defaults().withRanks(ranks),
          platform -> train(platform, steps));
    }
  }

  private static void report(String what, SimOptions options, Sim.Program program) {
    long before = System.nanoTime();
    SimResult result = Sim.run(options, program);
    double seconds = (System.nanoTime() - before) / 1e9;
    System.out.printf(
        Locale.ROOT,
        "%s: %d operations in %.2f s, %.0f a second, trace of %d bytes%n",
        what,
        result.operations(),
        seconds,
        result.operations() / seconds,
        result.trace().bytes().length);
  }

  private static void pingPong(Platform platform) {
    Device device = platform.device();
    Stream a = device.createStream("a");
    Stream b = device.createStream("b");
    Event there = device.createEvent();
    Event back = device.createEvent();
    Buffer buffer = device.allocate(DataType.FLOAT32, 16);
    for (int i = 0; i < ROUNDS; i++) {
      a.launch(NOTHING, GRID, buffer);
      a.record(there);
      b.waitFor(there);
      b.launch(NOTHING, GRID, buffer);
      b.record(back);
      a.waitFor(back);
    }
    device.synchronize();
  }

  private static void train(Platform platform, int steps) {
    Device device = platform.device();
    Communicator world = Programs.world(platform);
    Stream compute = device.createStream("compute");
    Stream nccl = device.createStream("nccl");
    Stream[] fragments = new Stream[FRAGMENTS];
    Buffer[] parameters = new Buffer[FRAGMENTS];
    Buffer[] copies = new Buffer[FRAGMENTS];
    for (int i = 0; i < FRAGMENTS; i++) {
      fragments[i] = device.createStream("fragment-" + i);
      parameters[i] = device.allocate(DataType.FLOAT32, 256);
      copies[i] = device.allocate(DataType.FLOAT32, 256);
    }
    Event ready = device.createEvent("ready");
    Event work = device.createEvent("work");
    for (int step = 0; step < steps; step++) {
      try (Marks.Scope scope = Marks.step("step")) {
        for (int i = 0; i < LAYERS; i++) {
          compute.launch(LAYER, GRID);
        }
        for (Buffer each : parameters) {
          compute.launch(GRADIENT, GRID, each);
        }
        Stream fragment = fragments[step % FRAGMENTS];
        Buffer copy = copies[step % FRAGMENTS];
        compute.record(ready);
        fragment.waitFor(ready);
        fragment.copy(copy, parameters[step % FRAGMENTS]);
        fragment.record(ready);
        nccl.waitFor(ready);
        world.allReduce(copy, copy, ReduceOp.AVG, nccl);
        nccl.record(work);
        fragment.waitFor(work);
        fragment.launch(GRADIENT, GRID, copy);
        fragment.record(ready);
        compute.waitFor(ready);
        compute.copy(parameters[step % FRAGMENTS], copy);
        if (step % 10 == 9) {
          compute.synchronize();
        }
      }
    }
    device.synchronize();
  }
}
