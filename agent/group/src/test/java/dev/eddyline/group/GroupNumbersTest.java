package dev.eddyline.group;

import static dev.eddyline.group.Jobs.ranks;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Device;
import dev.eddyline.device.HostBuffer;
import dev.eddyline.device.ReduceOp;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupNumbersTest {
  static final long SEED = Long.getLong("eddyline.seed", 20_261_130L);
  static final int MOST_ELEMENTS = 40;

  /** One rank's view of one round. */
  record Round(ProcessGroup group, DataType type, List<byte[]> inputs) {
    int size() {
      return group.size();
    }

    byte[] own() {
      return inputs.get(group.rank());
    }

    Buffer buffer(byte[] bytes) {
      Device device = group.device();
      Buffer buffer = device.allocate(type, bytes.length / type.bytes());
      HostBuffer host = device.allocatePageable(DataType.INT8, bytes.length);
      host.memory().put(0, bytes);
      device.currentStream().copy(buffer, host);
      return buffer;
    }

    Buffer empty(int bytes) {
      return buffer(new byte[bytes]);
    }

    byte[] read(Buffer buffer) {
      HostBuffer host = group.device().allocatePageable(DataType.INT8, buffer.bytes());
      group.device().currentStream().copy(host, buffer);
      byte[] bytes = new byte[(int) buffer.bytes()];
      ByteBuffer memory = host.memory();
      memory.get(0, bytes);
      return bytes;
    }

    void check(String what, Work work, Buffer result, byte[] expected) {
      work.waitOnStream();
      assertThat(read(result))
          .as("%s of %s, rank %d of %d, seed %d", what, type, group.rank(), size(), SEED)
          .isEqualTo(expected);
    }
  }

  static List<byte[]> inputs(int ranks, DataType type, int count, ReduceOp op, Random random) {
    List<byte[]> inputs = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      inputs.add(Elements.random(type, count, op, random));
    }
    return inputs;
  }

  private static List<byte[]> each(int size, IntFunction<byte[]> part) {
    List<byte[]> parts = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      parts.add(part.apply(i));
    }
    return parts;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void reductions_of_every_type_and_operation_equal_those_of_the_cpu(int ranks) {
    Jobs.run(
        ranks(ranks).withRecorded(false),
        GroupOptions.defaults(),
        (platform, world) -> {
          Random random = new Random(SEED + ranks);
          for (DataType type : DataType.values()) {
            for (ReduceOp op : ReduceOp.values()) {
              if (op == ReduceOp.AVG && !Elements.isFloat(type)) {
                continue;
              }
              int count = ranks * (1 + random.nextInt(MOST_ELEMENTS));
              Round round = new Round(world, type, inputs(ranks, type, count, op, random));
              reductions(round, op, random.nextInt(ranks));
            }
          }
        });
  }

  static void reductions(Round round, ReduceOp op, int root) {
    CollectiveOptions how = CollectiveOptions.defaults().withOp(op);
    ProcessGroup group = round.group();
    byte[] reduced = Elements.reduce(op, round.type(), round.inputs());

    Buffer inPlace = round.buffer(round.own());
    round.check("all-reduce in place " + op, group.allReduce(inPlace, how), inPlace, reduced);

    Buffer from = round.buffer(round.own());
    Buffer to = round.empty(reduced.length);
    round.check("all-reduce " + op, group.allReduce(from, to, how), to, reduced);

    Buffer part = round.empty(reduced.length / round.size());
    byte[] own = Elements.part(reduced, group.rank(), round.size());
    round.check("reduce-scatter " + op, group.reduceScatter(from, part, how), part, own);

    Buffer atRoot = round.buffer(round.own());
    byte[] expected = group.rank() == root ? reduced : round.own();
    round.check("reduce " + op, group.reduce(atRoot, atRoot, root, how), atRoot, expected);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void moves_of_every_type_equal_those_of_the_cpu(int ranks) {
    Jobs.run(
        ranks(ranks).withRecorded(false),
        GroupOptions.defaults(),
        (platform, world) -> {
          Random random = new Random(SEED - ranks);
          for (DataType type : DataType.values()) {
            int count = ranks * (1 + random.nextInt(MOST_ELEMENTS));
            List<byte[]> inputs = inputs(ranks, type, count, ReduceOp.SUM, random);
            moves(new Round(world, type, inputs), random.nextInt(ranks));
          }
        });
  }

  static void moves(Round round, int root) {
    ProcessGroup group = round.group();
    int size = round.size();
    int rank = group.rank();
    Buffer from = round.buffer(round.own());

    Buffer all = round.empty(round.own().length * size);
    round.check("all-gather", group.allGather(from, all), all, Elements.concat(round.inputs()));

    Buffer given = round.buffer(round.own());
    round.check("broadcast", group.broadcast(given, root), given, round.inputs().get(root));

    Buffer mixed = round.empty(round.own().length);
    byte[] expected =
        Elements.concat(each(size, i -> Elements.part(round.inputs().get(i), rank, size)));
    round.check("all-to-all", group.allToAll(from, mixed), mixed, expected);

    if (size > 1) {
      Buffer next = round.empty(round.own().length);
      int before = (rank + size - 1) % size;
      Work ring =
          group.coalesce(
              block -> {
                block.send(from, (rank + 1) % size);
                block.receive(next, before);
              });
      round.check("a ring of sends", ring, next, round.inputs().get(before));
    }
  }

  @Test
  void plain_sends_arrive_in_their_order() {
    Jobs.run(
        3,
        (platform, world) -> {
          for (int i = 0; i < 5; i++) {
            Buffer buffer = Jobs.floats(world.device(), world.rank() * 10 + i);
            if (world.rank() == 2) {
              world.send(buffer, 0);
            } else if (world.rank() == 0) {
              world.receive(buffer, 2).waitOnStream();
              assertThat(Jobs.read(world.device().currentStream(), buffer)).containsExactly(20 + i);
            }
          }
          world.barrier();
        });
  }

  @Test
  void sums_of_any_floats_lie_within_the_bound_of_their_rounding() {
    Jobs.run(
        ranks(8).withRecorded(false),
        GroupOptions.defaults(),
        (platform, world) -> {
          Random random = new Random(SEED);
          int count = 1000;
          float[][] inputs = new float[8][count];
          for (float[] input : inputs) {
            for (int i = 0; i < count; i++) {
              input[i] = (float) random.nextGaussian();
            }
          }
          Buffer buffer = Jobs.floats(world.device(), inputs[world.rank()]);
          world.allReduce(buffer).waitOnStream();
          float[] sums = Jobs.read(world.device().currentStream(), buffer);
          for (int i = 0; i < count; i++) {
            double exact = 0;
            double size = 0;
            for (float[] input : inputs) {
              exact += input[i];
              size += Math.abs(input[i]);
            }
            assertThat(Math.abs(sums[i] - exact)).isLessThanOrEqualTo(7 * Math.ulp(1f) * size);
          }
        });
  }

  @Test
  void a_type_of_the_options_takes_the_bytes_as_it_says() {
    Jobs.run(
        2,
        (platform, world) -> {
          Buffer bytes = world.device().allocate(DataType.INT8, 8);
          HostBuffer host = world.device().allocatePageable(DataType.INT32, 2);
          host.memory().putInt(0, 1 << 20).putInt(4, -1);
          world.device().currentStream().copy(bytes, host.as(DataType.INT8));
          world
              .allReduce(bytes, CollectiveOptions.defaults().withType(DataType.INT32))
              .waitOnStream();
          world.device().currentStream().copy(host, bytes);
          assertThat(host.memory().getInt(0)).isEqualTo(1 << 21);
          assertThat(host.memory().getInt(4)).isEqualTo(-2);
        });
  }
}
