package dev.eddyline.samples.picture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The pictures of the docs are those of recorded traces; {@code -Dgolden.update=true} redraws. */
class PicturesTest {
  private static final Path ROOT = Path.of("..");
  private static final Path PAGE = ROOT.resolve("docs/process-group.md");
  private static final Pattern MARKER = Pattern.compile("<!-- picture: (\\S+) (\\S+) -->");

  @Test
  void pictures_of_the_docs_are_drawn_from_recorded_traces() throws IOException {
    List<String> page = Files.readAllLines(PAGE);
    List<String> redrawn = new ArrayList<>();
    int pictures = 0;
    for (int i = 0; i < page.size(); i++) {
      redrawn.add(page.get(i));
      Matcher marker = MARKER.matcher(page.get(i));
      if (marker.matches()) {
        assertThat(page.get(i + 1)).isEqualTo("```text");
        int end = i + 2;
        while (!page.get(end).equals("```")) {
          end++;
        }
        redrawn.add("```text");
        redrawn.addAll(StreamPicture.of(ROOT.resolve(marker.group(1)), marker.group(2)));
        i = end - 1;
        pictures++;
      }
    }
    if (Boolean.getBoolean("golden.update")) {
      Files.write(PAGE, redrawn);
      return;
    }
    assertThat(pictures).isGreaterThanOrEqualTo(5);
    assertThat(page).isEqualTo(redrawn);
  }

  @Test
  void who_waits_and_who_stands_still_can_be_seen() throws IOException {
    List<String> wait =
        StreamPicture.of(Path.of("traces/wait-or-block-wait-sim-rank0.eddy"), "step0");
    List<String> block =
        StreamPicture.of(Path.of("traces/wait-or-block-block-sim-rank0.eddy"), "step0");

    assertThat(wait).hasSize(6);
    assertThat(wait.get(0)).startsWith("compute  ").contains("backward", "●", "◆", "descend");
    assertThat(wait.get(1)).contains("▼").contains("▲");
    assertThat(wait.get(2)).startsWith("nccl  ").contains("◆█", "all-reduce #0", "█●");
    assertThat(wait.get(3)).startsWith("host  ").doesNotContain("▒");
    assertThat(block.get(3)).startsWith("host  ").contains("▒ cudaEventSynchronize ▒");
    assertThat(block.get(0)).doesNotContain("◆");
  }

  @Test
  void arrows_cross_rows_and_never_hide_what_is_there() {
    Grid grid = new Grid(3, 12);
    grid.bar(1, 2, 6, Grid.OP, "op");
    grid.arrow(0, grid.sign(0, 4, Grid.RECORD, false), 2, grid.sign(2, 8, Grid.WAIT, true));
    grid.arrow(2, grid.sign(2, 1, Grid.RECORD, false), 0, grid.sign(0, 1, Grid.WAIT, true));

    assertThat(grid.lines(List.of("a", "b", "c")))
        .containsExactly(
            "a  ─◆──●───────", "    ▲  │", "b  ─│████ op ──", "    │  └───▼", "c  ─●──────◆───");
  }

  @Test
  void a_step_that_is_not_there_is_an_error_that_says_so() {
    Path trace = Path.of("traces/wait-or-block-wait-sim-rank0.eddy");
    assertThatThrownBy(() -> StreamPicture.of(trace, "step99"))
        .hasMessage("there is no step 'step99' in " + trace);
  }
}
