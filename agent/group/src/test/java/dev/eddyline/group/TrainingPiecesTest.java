package dev.eddyline.group;

import static dev.eddyline.group.Jobs.ADD;
import static dev.eddyline.group.Jobs.MS;
import static dev.eddyline.group.Jobs.SMALL;
import static dev.eddyline.group.Jobs.floats;
import static dev.eddyline.group.Jobs.ranks;
import static dev.eddyline.group.Jobs.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eddyline.analysis.timeline.RangeView;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.analysis.timeline.WaitView;
import dev.eddyline.device.Buffer;
import dev.eddyline.device.CachingAllocator;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.Event;
import dev.eddyline.device.HostBuffer;
import dev.eddyline.device.Kernel;
import dev.eddyline.device.Stream;
import dev.eddyline.device.sim.SimResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrainingPiecesTest {
  private static final int SEEDS = 10;

  @Test
  void a_fragment_takes_the_mean_of_all_ranks_whatever_compute_does_meanwhile() {
    for (int seed = 0; seed < SEEDS; seed++) {
      Jobs.run(
          ranks(2).withSeed(seed).withRecorded(false),
          GroupOptions.defaults(),
          (platform, world) -> {
            Device device = world.device();
            Stream compute = device.createStream("compute");
            try (Device.Scope current = device.use(compute)) {
              Buffer parameters = floats(device, 8, 8);
              FragmentOptions how =
                  FragmentOptions.defaults().withOptimiser(1, 0).withKeepLocal(0.25f);
              Fragment fragment = new Fragment(world, "fragment-0", parameters, how);
              compute.launch(ADD, SMALL, parameters, world.rank() == 0 ? 2f : 4f);
              fragment.prepare();
              compute.launch(ADD, SMALL, parameters, 100f);
              fragment.perform();
              float local = world.rank() == 0 ? 110 : 112;
              float expected = 0.25f * local + 0.75f * 11;
              assertThat(read(compute, parameters)).containsExactly(expected, expected);
              assertThat(read(compute, fragment.globalParameters())).containsExactly(11, 11);
              fragment.close();
            }
          });
    }
  }

  @Test
  void momentum_follows_nesterov() {
    Jobs.run(
        2,
        (platform, world) -> {
          Buffer parameters = floats(world.device(), 0);
          FragmentOptions how = FragmentOptions.defaults().withOptimiser(0.5f, 0.5f);
          Fragment fragment = new Fragment(world, "f", parameters, how);
          float global = 0;
          float momentum = 0;
          for (int i = 0; i < 4; i++) {
            world.device().currentStream().launch(ADD, SMALL, parameters, 1f);
            fragment.prepare();
            fragment.perform();
            float gradient = -1;
            momentum = 0.5f * momentum + gradient;
            global -= 0.5f * (gradient + 0.5f * momentum);
            assertThat(read(world.device().currentStream(), parameters)).containsExactly(global);
          }
        });
  }

  @Test
  void compute_waits_for_a_fragment_in_perform_alone_and_phases_are_marked() {
    SimResult result =
        Jobs.run(
            2,
            (platform, world) -> {
              Device device = world.device();
              Stream compute = device.createStream("compute");
              try (Device.Scope current = device.use(compute)) {
                Buffer parameters = device.allocate(DataType.FLOAT32, 1 << 20);
                Fragment fragment =
                    new Fragment(world, "fragment-0", parameters, FragmentOptions.defaults());
                long before = platform.host().nanoTime();
                fragment.prepare();
                assertThat(platform.host().nanoTime() - before).isLessThan(MS / 2);
                compute.launch(ADD, SMALL, parameters, 0f);
                fragment.perform();
                compute.synchronize();
              }
            });

    Timeline timeline = Jobs.open(result);
    WaitView wait = timeline.waits();
    List<String> waiters = new ArrayList<>();
    for (int i = 0; i < wait.size(); i++) {
      String name = timeline.streams().get(wait.at(i).stream()).name();
      if (wait.process() == 0 && name.equals("compute")) {
        waiters.add(name);
      }
    }
    assertThat(waiters).hasSize(1);
    RangeView range = timeline.ranges();
    List<String> phases = new ArrayList<>();
    for (int i = 0; i < range.size(); i++) {
      phases.add(range.at(i).name());
    }
    assertThat(phases).contains("prepare fragment-0", "perform fragment-0");
  }

  @Test
  void phases_out_of_order_and_on_the_wrong_stream_are_refused() {
    Jobs.run(
        1,
        (platform, world) -> {
          Fragment fragment =
              new Fragment(world, "f", floats(world.device(), 1), FragmentOptions.defaults());
          assertThatThrownBy(fragment::perform)
              .hasMessage("fragment 'f': perform() without prepare()");
          fragment.prepare();
          assertThatThrownBy(fragment::prepare)
              .hasMessage("fragment 'f': prepare() again without perform() in between");
          try (Device.Scope current = world.device().use(fragment.stream())) {
            assertThatThrownBy(fragment::perform)
                .hasMessage(
                    "fragment 'f': perform() with the fragment's own stream as the current one;"
                        + " call it with the compute stream, or computing would wait for the"
                        + " fragment");
          }
          assertThatThrownBy(() -> FragmentOptions.defaults().withKeepLocal(1.5f))
              .hasMessage("keepLocal is 1.5, but is a share: from 0 to 1");
          Buffer halves = world.device().allocate(DataType.FLOAT16, 1);
          assertThatThrownBy(() -> new Fragment(world, "h", halves, FragmentOptions.defaults()))
              .hasMessage("fragment 'h': parameters are f32, not f16");
        });
  }

  @Test
  void a_snapshot_waits_for_its_mark_and_not_for_the_collective_behind_it() {
    Jobs.run(
        2,
        (platform, world) -> {
          Device device = world.device();
          Stream compute = device.createStream("compute");
          HostBuffer target = device.allocatePinned(DataType.FLOAT32, 2);
          RecoveryStream recovery = new RecoveryStream(device);
          try (Device.Scope current = device.use(compute)) {
            Buffer state = floats(device, 0, 0);
            Buffer gradient = device.allocate(DataType.FLOAT32, 1 << 24);
            compute.launch(ADD, SMALL, state, 5f);
            Event consistent = recovery.mark();
            Work work = world.allReduce(gradient);
            work.waitOnStream();
            RecoveryStream.Snapshot snapshot = recovery.fetch(state, target, consistent);
            snapshot.waitOnStream();
            compute.launch(ADD, SMALL, state, 100f);
            assertThat(snapshot.isDone()).isFalse();
            snapshot.waitBlocking();
            assertThat(target.getFloats()).containsExactly(5, 5);
            assertThat(work.isDone()).isFalse();
            assertThat(read(compute, state)).containsExactly(105, 105);
            snapshot.close();
          }
          HostBuffer pageable = device.allocatePageable(DataType.FLOAT32, 2);
          assertThatThrownBy(() -> recovery.fetch(floats(device, 1), pageable, recovery.mark()))
              .hasMessageContaining("must be pinned memory, or the copy holds the host");
          recovery.close();
        });
  }

  /** Copies slowly, so that whoever reuses its input too early is caught. */
  private static final Kernel SLOW_COPY =
      Kernel.named("layer")
          .body(
              arguments -> {
                for (int i = 0; i < arguments.floats(1).limit(); i++) {
                  arguments.floats(1).put(i, arguments.floats(0).get(i));
                }
              })
          .takes(5 * MS)
          .build();

  @Test
  void a_gathered_tensor_lives_until_its_readers_are_done() {
    for (int seed = 0; seed < SEEDS; seed++) {
      Jobs.run(
          ranks(2).withSeed(seed).withRecorded(false),
          GroupOptions.defaults(),
          (platform, world) -> {
            Device device = world.device();
            CachingAllocator allocator = new CachingAllocator(device);
            TensorParallelGather tensor = new TensorParallelGather(world, allocator);
            Stream compute = device.createStream("compute");
            try (Device.Scope current = device.use(compute)) {
              List<Buffer> outputs = new ArrayList<>();
              for (int layer = 0; layer < 4; layer++) {
                Buffer shard = floats(device, 10 * layer + world.rank());
                Buffer output = device.allocate(DataType.FLOAT32, 2);
                try (TensorParallelGather.Gathered gathered = tensor.gather(shard)) {
                  compute.launch(SLOW_COPY, SMALL, gathered.waitOnStream(), output);
                }
                outputs.add(output);
              }
              for (int layer = 0; layer < 4; layer++) {
                assertThat(read(compute, outputs.get(layer)))
                    .containsExactly(10 * layer, 10 * layer + 1);
              }
            }
            tensor.close();
          });
    }
  }

  @Test
  void a_gathered_tensor_that_was_freed_is_refused() {
    Jobs.run(
        1,
        (platform, world) -> {
          TensorParallelGather tensor =
              new TensorParallelGather(world, new CachingAllocator(world.device()));
          TensorParallelGather.Gathered gathered = tensor.gather(floats(world.device(), 1));
          gathered.close();
          gathered.close();
          assertThatThrownBy(gathered::waitOnStream)
              .hasMessage("the gathered tensor was freed before");
        });
  }
}
