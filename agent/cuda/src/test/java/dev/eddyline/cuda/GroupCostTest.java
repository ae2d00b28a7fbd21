package dev.eddyline.cuda;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.Device;
import dev.eddyline.device.Event;
import dev.eddyline.device.Platform;
import dev.eddyline.device.Stream;
import dev.eddyline.group.CollectiveOptions;
import dev.eddyline.group.ProcessGroup;
import dev.eddyline.group.TcpStore;
import java.util.Arrays;
import java.util.Locale;
import org.bytedeco.cuda.cudart.CUstream_st;
import org.bytedeco.cuda.global.nccl;
import org.bytedeco.cuda.nccl.ncclComm;
import org.bytedeco.cuda.nccl.ncclConfig_t;
import org.bytedeco.cuda.nccl.ncclUniqueId;
import org.bytedeco.javacpp.Pointer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What the process group adds to the host time of an all-reduce; two processes, each a rank, on one
 * GPU. The forms take turns, so that each round is a pair of each with each.
 */
@Tag("gpu")
@Tag("group-cost")
@Timeout(200)
class GroupCostTest {
  private static final long LONG = 60_000_000_000L;
  private static final int ROUNDS = Integer.getInteger("eddyline.cost.rounds", 120);
  private static final int CALLS = 10;

  /** More than the events that a group makes before it uses them again. */
  private static final int WARM_UP = 1100;

  private final TcpStore store = TcpStore.fromEnvironment(System.getenv(), LONG);
  private final Platform platform =
      Cuda.open(CudaOptions.of(System.getenv(), store).withDevices(0));
  private final Device device = platform.device();
  private final Stream compute = device.createStream("compute");

  private ncclComm join(String name, boolean blocking) {
    // The same library as the group's; JavaCPP by itself may find another one.
    Libraries.loadNccl();
    byte[] id;
    if (platform.rank() == 0) {
      id = platform.collectives().createId();
      store.set("raw-" + name, id);
    } else {
      id = store.get("raw-" + name, LONG);
    }
    ncclComm made = new ncclComm();
    try (ncclUniqueId unique = new ncclUniqueId();
        ncclConfig_t config = CudaCollectives.config()) {
      unique.internal().put(id);
      config.blocking(blocking ? 1 : 0);
      NcclFaults.check(
          nccl.ncclCommInitRankConfig(made, 2, unique, platform.rank(), config),
          "ncclCommInitRankConfig");
    }
    awaitLaunch(made);
    return made;
  }

  private static void awaitLaunch(ncclComm communicator) {
    int[] state = {NcclFaults.IN_PROGRESS};
    while (state[0] == NcclFaults.IN_PROGRESS) {
      nccl.ncclCommGetAsyncError(communicator, state);
    }
    NcclFaults.check(state[0], "ncclCommGetAsyncError");
  }

  private double micros(int round, int form, Runnable call) {
    String where = "cost/" + round + "/" + form + "/";
    store.set(where + platform.rank(), new byte[] {1});
    store.get(where + (1 - platform.rank()), LONG);
    long start = System.nanoTime();
    for (int i = 0; i < CALLS; i++) {
      call.run();
    }
    long took = System.nanoTime() - start;
    device.synchronize();
    return took / 1e3 / CALLS;
  }

  @Test
  void an_all_reduce_through_the_group_against_the_library_alone() {
    ncclComm blocking = join("blocking", true);
    ncclComm nonBlocking = join("non-blocking", false);
    Buffer one = Gpu.floats(platform, compute, 1);
    Pointer memory = CudaBuffer.of(one).raw();
    Stream own = device.createStream("own");
    CUstream_st on = CudaStream.of(own).pointer();
    Event ready = device.createEvent("ready");
    Event done = device.createEvent("done");
    Runnable raw =
        () -> {
          nccl.ncclAllReduce(memory, memory, 1, 7, 0, nonBlocking, on);
          awaitLaunch(nonBlocking);
        };
    try (ProcessGroup world = ProcessGroup.join(platform, "world");
        Device.Scope scope = device.use(compute)) {
      for (int i = 0; i < WARM_UP / CALLS; i++) {
        micros(-1 - i, 0, () -> world.allReduce(one));
        micros(-1 - i, 1, raw);
      }
      Runnable[] forms = {
        () -> nccl.ncclAllReduce(memory, memory, 1, 7, 0, blocking, on),
        raw,
        () -> {
          compute.record(ready);
          own.waitFor(ready);
          raw.run();
          own.record(done);
        },
        () -> world.allReduce(one, CollectiveOptions.onCurrentStream()),
        () -> world.allReduce(one),
      };
      double[][] micros = new double[forms.length][ROUNDS];
      for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < forms.length; i++) {
          int form = (i + round) % forms.length;
          micros[form][round] = micros(round, form, forms[form]);
        }
      }
      report(micros);
    }
  }

  private void report(double[][] micros) {
    String[] names = {
      "raw NCCL, blocking communicator",
      "raw NCCL, non-blocking, until launched",
      "the same with record, wait and record around it",
      "the group, async = false",
      "the group",
    };
    for (int form = 0; form < names.length; form++) {
      say(names[form], micros[form]);
    }
    String raw = " more than raw non-blocking, by pairs";
    say(names[2] + raw, more(micros[2], micros[1]));
    say(names[3] + raw, more(micros[3], micros[1]));
    say(names[4] + raw, more(micros[4], micros[1]));
    String around = " more than raw with record, wait and record, by pairs";
    say(names[4] + around, more(micros[4], micros[2]));
  }

  private static double[] more(double[] values, double[] than) {
    double[] more = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      more[round] = values[round] - than[round];
    }
    return more;
  }

  private void say(String what, double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int last = sorted.length - 1;
    Gpu.say(
        String.format(
            Locale.ROOT,
            "rank %d: us per all-reduce of 4 B, %d rounds of %d: %s: median %.1f, quartiles %.1f to"
                + " %.1f, all %.1f to %.1f",
            platform.rank(),
            ROUNDS,
            CALLS,
            what,
            sorted[last / 2],
            sorted[last / 4],
            sorted[last * 3 / 4],
            sorted[0],
            sorted[last]));
  }
}
