package dev.eddyline.device.sim;

import static dev.eddyline.device.sim.Programs.world;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.Communicator;
import dev.eddyline.device.DataType;
import dev.eddyline.device.Half;
import dev.eddyline.device.HostBuffer;
import dev.eddyline.device.Platform;
import dev.eddyline.device.ReduceOp;
import dev.eddyline.device.Stream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CollectiveNumbersTest {
  private static double value(DataType type, ByteBuffer from, int i) {
    return switch (type) {
      case INT8 -> from.get(i);
      case UINT8 -> from.get(i) & 0xFF;
      case INT32 -> from.getInt(4 * i);
      case UINT32 -> from.getInt(4 * i) & 0xFFFF_FFFFL;
      case INT64, UINT64 -> from.getLong(8 * i);
      case FLOAT16 -> Half.toFloat(from.getShort(2 * i));
      case BFLOAT16 -> Half.bfloatToFloat(from.getShort(2 * i));
      case FLOAT32 -> from.getFloat(4 * i);
      case FLOAT64 -> from.getDouble(8 * i);
    };
  }

  private static void put(DataType type, ByteBuffer to, int i, double value) {
    switch (type) {
      case INT8, UINT8 -> to.put(i, (byte) (long) value);
      case INT32, UINT32 -> to.putInt(4 * i, (int) (long) value);
      case INT64, UINT64 -> to.putLong(8 * i, (long) value);
      case FLOAT16 -> to.putShort(2 * i, Half.fromFloat((float) value));
      case BFLOAT16 -> to.putShort(2 * i, Half.bfloatFromFloat((float) value));
      case FLOAT32 -> to.putFloat(4 * i, (float) value);
      case FLOAT64 -> to.putDouble(8 * i, value);
    }
  }

  private static boolean isFloat(DataType type) {
    return type.name().contains("FLOAT");
  }

  private static boolean isUnsigned(DataType type) {
    return type.name().startsWith("U");
  }

  private static double relativeBound(DataType type) {
    return switch (type) {
      case FLOAT16 -> 0x1.0p-10;
      case BFLOAT16 -> 0x1.0p-7;
      case FLOAT32 -> 0x1.0p-20;
      case FLOAT64 -> 0x1.0p-49;
      default -> 0;
    };
  }

  private static ByteBuffer input(DataType type, long seed, int rank, int count) {
    Random random = new Random(seed * 31 + rank);
    ByteBuffer data = ByteBuffer.allocate(count * type.bytes()).order(ByteOrder.nativeOrder());
    for (int i = 0; i < count; i++) {
      int most = type.bytes() == 1 ? 1 : 3;
      double value =
          isFloat(type)
              ? 0.5 + random.nextDouble()
              : random.nextInt(2 * most + 1) - (isUnsigned(type) ? 0 : most);
      value = isUnsigned(type) && most == 1 ? value % 2 : value;
      put(type, data, i, value);
    }
    return data;
  }

  private static double expected(
      ReduceOp op, DataType type, long seed, int ranks, int count, int i) {
    BigDecimal result = null;
    for (int rank = 0; rank < ranks; rank++) {
      BigDecimal next = BigDecimal.valueOf(value(type, input(type, seed, rank, count), i));
      result =
          result == null
              ? next
              : switch (op) {
                case SUM, AVG -> result.add(next);
                case PROD -> result.multiply(next);
                case MIN -> result.min(next);
                case MAX -> result.max(next);
              };
    }
    if (op == ReduceOp.AVG) {
      BigDecimal size = BigDecimal.valueOf(ranks);
      result =
          isFloat(type)
              ? result.divide(size, MathContext.DECIMAL64)
              : new BigDecimal(result.toBigInteger().divide(BigInteger.valueOf(ranks)));
    }
    return result.doubleValue();
  }

  private static HostBuffer upload(
      Platform platform, Stream stream, Buffer to, ByteBuffer data, DataType type) {
    HostBuffer host = platform.device().allocatePageable(type, to.count());
    host.memory().put(0, data, 0, data.capacity());
    stream.copy(to, host);
    return host;
  }

  private static ByteBuffer download(Platform platform, Stream stream, Buffer from) {
    HostBuffer host = platform.device().allocatePageable(from.type(), from.count());
    stream.copy(host, from);
    return host.memory();
  }

  @ParameterizedTest
  @EnumSource(DataType.class)
  void reductions_give_what_exact_arithmetic_gives(DataType type) {
    Random shapes = new Random(type.ordinal());
    for (int ranks = 1; ranks <= 8; ranks++) {
      int size = ranks;
      int count = 1 + shapes.nextInt(9);
      int seed = shapes.nextInt();
      Sim.run(
          SimOptions.defaults().withRanks(ranks).withSeed(ranks - 1),
          platform -> {
            Communicator world = world(platform);
            Stream stream = platform.device().createStream("s");
            int total = count * size;
            for (ReduceOp op : ReduceOp.values()) {
              Buffer send = platform.device().allocate(type, total);
              Buffer all = platform.device().allocate(type, total);
              Buffer part = platform.device().allocate(type, count);
              upload(platform, stream, send, input(type, seed, platform.rank(), total), type);
              world.allReduce(send, all, op, stream);
              world.reduceScatter(send, part, op, stream);
              world.reduce(send, send, op, size - 1, stream);
              ByteBuffer reduced = download(platform, stream, all);
              ByteBuffer scattered = download(platform, stream, part);
              ByteBuffer atRoot = download(platform, stream, send);
              for (int i = 0; i < total; i++) {
                double exact = expected(op, type, seed, size, total, i);
                double bound = Math.abs(exact) * relativeBound(type);
                assertThat(value(type, reduced, i))
                    .as("%s %d", op, i)
                    .isCloseTo(exact, within(bound));
                if (platform.rank() == size - 1) {
                  assertThat(value(type, atRoot, i)).isCloseTo(exact, within(bound));
                }
                int mine = i - platform.rank() * count;
                if (mine >= 0 && mine < count) {
                  assertThat(value(type, scattered, mine)).isCloseTo(exact, within(bound));
                }
              }
            }
          });
    }
  }

  @ParameterizedTest
  @EnumSource(DataType.class)
  void moves_are_exact(DataType type) {
    for (int ranks = 1; ranks <= 8; ranks++) {
      int size = ranks;
      int count = 3;
      Sim.run(
          SimOptions.defaults().withRanks(ranks),
          platform -> {
            Communicator world = world(platform);
            Stream stream = platform.device().createStream("s");
            int rank = platform.rank();
            ByteBuffer own = input(type, 5, rank, count * size);
            Buffer send = platform.device().allocate(type, count * size);
            Buffer receive = platform.device().allocate(type, count * size);
            upload(platform, stream, send, own, type);

            world.allGather(send.slice(0, count), receive, stream);
            ByteBuffer gathered = download(platform, stream, receive);
            world.allToAll(send, receive, stream);
            ByteBuffer exchanged = download(platform, stream, receive);
            world.broadcast(send, receive, size - 1, stream);
            ByteBuffer broadcast = download(platform, stream, receive);
            int next = (rank + 1) % size;
            int previous = (rank + size - 1) % size;
            platform.collectives().groupStart();
            world.send(send, next, stream);
            world.receive(receive, previous, stream);
            platform.collectives().groupEnd();
            ByteBuffer received = download(platform, stream, receive);

            for (int r = 0; r < size; r++) {
              ByteBuffer other = input(type, 5, r, count * size);
              for (int i = 0; i < count; i++) {
                assertThat(value(type, gathered, r * count + i)).isEqualTo(value(type, other, i));
                assertThat(value(type, exchanged, r * count + i))
                    .isEqualTo(value(type, other, rank * count + i));
              }
            }
            ByteBuffer last = input(type, 5, size - 1, count * size);
            ByteBuffer before = input(type, 5, previous, count * size);
            for (int i = 0; i < count * size; i++) {
              assertThat(value(type, broadcast, i)).isEqualTo(value(type, last, i));
              assertThat(value(type, received, i)).isEqualTo(value(type, before, i));
            }
          });
    }
  }

  @Test
  void halves_round_to_the_nearest_even_and_keep_every_value() {
    for (int bits = 0; bits < 1 << 16; bits++) {
      float value = Half.toFloat((short) bits);
      if (!Float.isNaN(value)) {
        assertThat(Half.fromFloat(value)).isEqualTo((short) bits);
      }
      float brain = Half.bfloatToFloat((short) bits);
      if (!Float.isNaN(brain)) {
        assertThat(Half.bfloatFromFloat(brain)).isEqualTo((short) bits);
      }
    }
    assertThat(Half.toFloat(Half.fromFloat(1 + 0x1.0p-11f))).isEqualTo(1);
    assertThat(Half.toFloat(Half.fromFloat(1 + 3 * 0x1.0p-11f))).isEqualTo(1 + 0x1.0p-9f);
    assertThat(Half.toFloat(Half.fromFloat(65520))).isInfinite();
    assertThat(Half.toFloat(Half.fromFloat(65519))).isEqualTo(65504);
    assertThat(Half.toFloat(Half.fromFloat(0x1.0p-25f))).isZero();
    assertThat(Half.toFloat(Half.fromFloat(0x1.8p-25f))).isEqualTo(0x1.0p-24f);
    assertThat(Half.bfloatToFloat(Half.bfloatFromFloat(1 + 0x1.0p-8f))).isEqualTo(1);
  }
}
