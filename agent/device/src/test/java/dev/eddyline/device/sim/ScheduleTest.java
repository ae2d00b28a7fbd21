package dev.eddyline.device.sim;

import static dev.eddyline.device.sim.Programs.ADD;
import static dev.eddyline.device.sim.Programs.MULTIPLY;
import static dev.eddyline.device.sim.Programs.SMALL;
import static dev.eddyline.device.sim.Programs.floats;
import static dev.eddyline.device.sim.Programs.read;
import static dev.eddyline.device.sim.Programs.spin;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.Stream;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ScheduleTest {
  private static float result(long seed, boolean ordered) {
    float[] result = new float[1];
    Sim.run(
        SimOptions.defaults().withSeed(seed),
        platform -> {
          Stream a = platform.device().createStream("a");
          Stream b = platform.device().createStream("b");
          Buffer value = floats(platform, a, 1);
          platform.device().synchronize();
          a.launch(ADD, SMALL, value, 1f);
          spin(b, "other work", 50_000);
          if (ordered) {
            b.waitFor(a);
          }
          b.launch(MULTIPLY, SMALL, value, 3f);
          platform.device().synchronize();
          result[0] = read(platform, b, value)[0];
        });
    return result[0];
  }

  /**
   *
   *
   * <pre>
   * a  add
   * b  other work  multiply        nothing orders the two, the plain schedule hides it
   * </pre>
   */
  @Test
  void other_schedules_show_a_race_that_the_plain_one_hides() {
    Set<Float> seen = new TreeSet<>();
    for (int seed = 1; seed <= 50; seed++) {
      seen.add(result(seed, false));
    }

    assertThat(result(0, false)).isEqualTo(6);
    assertThat(seen).containsExactly(4f, 6f);
  }

  @Test
  void an_ordered_program_gives_the_same_in_all() {
    for (int seed = 0; seed <= 50; seed++) {
      assertThat(result(seed, true)).as("seed %d", seed).isEqualTo(6);
    }
  }
}
