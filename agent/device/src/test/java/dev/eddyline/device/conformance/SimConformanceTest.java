package dev.eddyline.device.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eddyline.device.sim.Sim;
import dev.eddyline.device.sim.SimOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SimConformanceTest {
  private static final SimOptions TWO_DEVICES =
      SimOptions.defaults().withDevicesPerRank(2).withRecorded(false);

  private static List<Answer> simulated(StreamProgram program) {
    List<Answer> answers = new ArrayList<>();
    Sim.run(
        TWO_DEVICES,
        platform ->
            new Conformance(platform)
                .ask(program, 1)
                .forEach(seen -> answers.addAll(seen.keySet())));
    return answers;
  }

  @Test
  void the_suite_has_enough_programs_with_names_of_their_own() {
    List<StreamProgram> programs = Conformance.programs();

    assertThat(programs).hasSizeGreaterThan(100);
    assertThat(programs).extracting(StreamProgram::name).doesNotHaveDuplicates();
    assertThat(programs).allSatisfy(program -> assertThat(program.gates()).isNotEmpty());
  }

  @Test
  void a_seed_makes_the_same_program_for_ever() {
    assertThat(Generator.program(7)).hasToString(Generator.program(7).toString());
    assertThat(StreamProgram.parse(Generator.program(7).toString()))
        .hasToString(Generator.program(7).toString());
  }

  @Test
  void programs_are_read_with_their_threads_and_gates() {
    StreamProgram program =
        StreamProgram.parse("p: @t1 &sync n1; group; send n1; recv n2; end; kernel L");

    assertThat(program.steps().get(0).thread()).isEqualTo("t1");
    assertThat(program.steps().get(0).concurrent()).isTrue();
    assertThat(program.gates())
        .extracting(StreamProgram.Gate::label)
        .containsExactly("3", "4", "3@5", "4@5", "6");
    assertThat(program.enqueuedBy(program.steps().get(2))).isEqualTo(5);
    assertThat(program.needsCollectives()).isTrue();
    assertThat(program.needsTwoDevices()).isFalse();
    assertThatThrownBy(() -> StreamProgram.parse("kernel n1")).hasMessageContaining("colon");
  }

  @Test
  void answers_are_read_as_they_are_written() {
    String line = "record-wait | 3@5 | 3 4 | -";

    assertThat(Answer.parse(line)).hasToString(line);
    assertThatThrownBy(() -> Answer.parse("x | y")).hasMessageContaining("four parts");
  }

  @Test
  void what_is_held_up_is_held_up() {
    for (StreamProgram program : Conformance.programs()) {
      assertThat(simulated(program))
          .as(program.toString())
          .hasSameSizeAs(program.gates())
          .allSatisfy(
              answer -> assertThat(answer.held()).isNotEmpty().hasSizeLessThanOrEqualTo(20));
    }
  }

  @Test
  void a_wait_is_for_the_record_before_it() {
    assertThat(
            simulated(
                StreamProgram.parse(
                    "p: kernel n1; record e1 n1; kernel n1; wait n2 e1; kernel n2; sync n2")))
        .containsExactly(
            Answer.parse("p | 1 | 1 3 5 | 6"),
            Answer.parse("p | 3 | 3 | -"),
            Answer.parse("p | 5 | 5 | 6"));
  }

  private static List<String> lines(String resource) throws IOException {
    try (InputStream in = Conformance.class.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  @Test
  void the_recorded_answers_are_those_of_these_programs() throws IOException {
    List<String> recorded = lines(Conformance.H200_DRIVER_580);

    for (StreamProgram program : Conformance.programs()) {
      if (!program.needsTwoDevices()) {
        assertThat(recorded).contains("# " + program);
      }
    }
    assertThat(Conformance.recorded(Conformance.H200_DRIVER_580).keySet())
        .isSubsetOf(Conformance.programs().stream().map(StreamProgram::name).toList());
  }

  @Test
  void the_simulated_device_answers_as_the_h200_did() throws IOException {
    Map<String, List<Answer>> recorded = Conformance.recorded(Conformance.H200_DRIVER_580);
    Set<String> differ = new TreeSet<>();
    StringBuilder how = new StringBuilder();
    for (StreamProgram program : Conformance.programs()) {
      List<Answer> real = recorded.get(program.name());
      if (real != null && !simulated(program).equals(real)) {
        differ.add(program.name());
        how.append(program).append("\n  H200 ").append(real).append("\n  sim  ");
        how.append(simulated(program)).append('\n');
      }
    }

    assertThat(differ).as(how.toString()).isEmpty();
  }
}
