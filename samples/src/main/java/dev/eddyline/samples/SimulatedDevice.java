package dev.eddyline.samples;

import dev.eddyline.device.sim.Sim;
import dev.eddyline.device.sim.SimOptions;
import dev.eddyline.device.sim.SimResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/** The simulated device: all ranks in this process, in virtual time. */
public final class SimulatedDevice implements SampleDevice {
  @Override
  public String name() {
    return "sim";
  }

  @Override
  public List<Story.Numbers> run(Run run, Program program) throws IOException {
    SimOptions options =
        SimOptions.defaults()
            .withRanks(run.ranks())
            .withSeed(run.seed())
            .withRecorded(run.record() != null)
            .withTracePerRank(true);
    ConcurrentHashMap<Integer, Story.Numbers> numbers = new ConcurrentHashMap<>();
    SimResult result =
        Sim.run(options, platform -> numbers.put(platform.rank(), program.run(platform)));
    List<Story.Numbers> inOrder = new ArrayList<>();
    for (int rank = 0; rank < run.ranks(); rank++) {
      Story.Numbers ofRank = numbers.get(rank);
      if (ofRank == null) {
        throw new IllegalStateException("rank " + rank + " came to no numbers");
      }
      inOrder.add(ofRank);
      String record = run.record();
      if (record != null) {
        result.traces().get(rank).write(Path.of(run.traceOf(record, rank)));
      }
    }
    return inOrder;
  }
}
