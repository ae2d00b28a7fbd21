package dev.eddyline.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FilePatternTest {
  @Test
  void places_are_filled_in() {
    Map<Character, String> places = Map.of('p', "42", 'h', "node-1", 'r', "3", 't', "T");

    assertThat(FilePattern.fill("a/run-%h-%p-%r-%t-100%%.eddy", places))
        .isEqualTo(Path.of("a/run-node-1-42-3-T-100%.eddy"));
  }

  @Test
  void a_value_leads_to_no_other_folder() {
    assertThat(FilePattern.fill("run-%h", Map.of('h', "../../etc/x")))
        .isEqualTo(Path.of("run-.._.._etc_x"));
  }

  @Test
  void this_process_fills_all_of_them_in() {
    Map<Character, String> places = FilePattern.ofThisProcess();

    assertThat(places).containsOnlyKeys('p', 'h', 'r', 't');
    assertThat(places.get('p')).isEqualTo(Long.toString(ProcessHandle.current().pid()));
    assertThat(places.get('h')).isNotBlank();
    assertThat(places.get('t')).matches("\\d{8}-\\d{6}");
  }

  @Test
  void the_rank_comes_from_the_launcher() {
    assertThat(JobPlace.of(Map.of("RANK", "3", "PMI_RANK", "4", "WORLD_SIZE", "8")))
        .isEqualTo(new JobPlace(3, 8));
    assertThat(JobPlace.of(Map.of("OMPI_COMM_WORLD_RANK", "7")).rank()).isEqualTo(7);
    assertThat(JobPlace.of(Map.of("RANK", "no number", "SLURM_PROCID", "5")).rank()).isEqualTo(5);
    assertThat(JobPlace.of(Map.of())).isEqualTo(new JobPlace(-1, -1));
  }

  @Test
  void a_name_that_varies_has_a_place() {
    assertThat(FilePattern.varies("run-%p.eddy")).isTrue();
    assertThat(FilePattern.varies("100%%.eddy")).isFalse();
    assertThat(FilePattern.varies("run.eddy")).isFalse();
  }
}
