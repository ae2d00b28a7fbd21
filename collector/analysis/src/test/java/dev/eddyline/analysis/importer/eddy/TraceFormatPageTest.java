package dev.eddyline.analysis.importer.eddy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.trace.Column;
import dev.eddyline.trace.Definition;
import dev.eddyline.trace.FrameHeader;
import dev.eddyline.trace.RecordType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TraceFormatPageTest {
  private static String page() throws IOException {
    return Files.readString(Path.of("../../docs/trace-format.md"));
  }

  @ParameterizedTest
  @EnumSource(RecordType.class)
  void namesEveryColumn(RecordType type) throws IOException {
    String title = "\n### " + type.code() + " " + type + ":";
    String page = page();
    assertThat(page).contains(title);
    int begin = page.indexOf(title);
    int end = page.indexOf("\n##", begin + 4);
    String section = page.substring(begin, end);
    for (Column column : type.columns()) {
      assertThat(section).containsPattern("(?m)^\\|[^|]*\\b" + column.name() + "\\b[^|]*\\|");
    }
  }

  @ParameterizedTest
  @EnumSource(Definition.Kind.class)
  void namesEveryDictionary(Definition.Kind kind) throws IOException {
    String word = kind.name().toLowerCase(java.util.Locale.ROOT);
    assertThat(page()).containsPattern("(?m)^\\| " + kind.code() + " " + word);
  }

  @Test
  void tellsTheVersion() throws IOException {
    assertThat(page())
        .startsWith("# The trace file `.eddy`, format version " + FrameHeader.VERSION);
  }
}
