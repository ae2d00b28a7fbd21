package dev.eddyline.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class AgentOptionsTest {
  @Test
  void reads_what_the_documentation_shows() throws OptionException {
    AgentOptions options =
        AgentOptions.parse(
            "out=run-%h-%p.eddy,deep,ring=30s,ring-size=64m,stacks=record,wait,launch,flush=50ms");

    assertThat(options.text(AgentOption.OUT)).isEqualTo("run-%h-%p.eddy");
    assertThat(options.flag(AgentOption.DEEP)).isTrue();
    assertThat(options.nanos(AgentOption.RING)).isEqualTo(30_000_000_000L);
    assertThat(options.bytes(AgentOption.RING_SIZE)).isEqualTo(64L << 20);
    assertThat(options.words(AgentOption.STACKS)).isEqualTo(Set.of("record", "wait", "launch"));
    assertThat(options.nanos(AgentOption.FLUSH)).isEqualTo(50_000_000L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", ",", ",,"})
  void nothing_is_the_defaults(String text) throws OptionException {
    AgentOptions options = AgentOptions.parse(text);

    assertThat(options.given()).isEmpty();
    assertThat(options.flag(AgentOption.DEEP)).isFalse();
    assertThat(options.nanos(AgentOption.FLUSH)).isEqualTo(200_000_000L);
    assertThat(options.words(AgentOption.STACKS)).containsExactly("sync");
    assertThat(options.has(AgentOption.RING)).isFalse();
    assertThat(options.has(AgentOption.CUPTI)).isFalse();
    assertThat(options.window()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(AgentOption.class)
  void every_default_is_a_value_that_may_be_given(AgentOption option) throws OptionException {
    if (!option.defaultValue().isEmpty()) {
      option.kind().check(option, option.defaultValue());
    }
    assertThat(option.description()).endsWith(".");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          depp            | unknown option 'depp', did you mean deep?
          oit=x           | unknown option 'oit', did you mean out?
          Ring=3s         | unknown option 'Ring', did you mean ring?
          flus=1s         | unknown option 'flus', did you mean flush?
          xyzzy           | unknown option 'xyzzy'; there are: out, deep,
          ring=3          | ring cannot be '3': it is a time with its unit
          ring=-3s        | ring cannot be '-3s'
          ring=3 s        | ring cannot be '3 s'
          flush=9999999999999h | flush cannot be '9999999999999h'
          buffers=64x     | buffers cannot be '64x': it is a number of bytes
          buffers=9999999999g | buffers cannot be '9999999999g'
          deep=yes        | deep cannot be 'yes': it is true or false
          log=debgu       | log cannot be 'debgu', did you mean debug?
          stacks=snyc     | stacks cannot be 'snyc', did you mean sync?
          stacks=sync,wiat | stacks cannot be 'wiat', did you mean wait?
          stacks=sync,depp | unknown option 'depp', did you mean deep?
          stacks=none,sync | stacks=none stands alone
          out             | out needs a value: out=…
          out=            | out cannot be ''
          out=a-%x.eddy   | there is no '%x' in the name of a file
          out=a%          | there is no '%' in the name of a file
          deep,deep       | deep is given twice
          window=3s       | window cannot be '3s': it is FROM..TO
          window=60s..30s | window cannot be '60s..30s'
          window=..       | window cannot be '..'
          ring=3s,window=1s..2s | ring and window exclude each other
          ring-size=4m    | ring-size has no effect without ring=TIME
          buffer-size=1k  | buffer-size lies between 4k and 16m
          buffers=64k     | buffers must hold at least 8 of buffer-size
          flush=1us       | flush lies between 1ms and 1m
          """)
  void a_mistake_is_told_with_the_nearest_right_word(String text, String message) {
    assertThatThrownBy(() -> AgentOptions.parse(text))
        .isInstanceOf(OptionException.class)
        .hasMessageStartingWith(message)
        .hasMessageNotContaining("\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "deep",
        "out=a\\,b.eddy,deep",
        "out=back\\\\slash,ring=3s,ring-size=1g",
        "stacks=record+wait,log=quiet",
        "deep=false,window=warm up..",
      })
  void is_written_as_it_is_read(String text) throws OptionException {
    AgentOptions options = AgentOptions.parse(text);

    assertThat(AgentOptions.parse(options.toString()).toString()).isEqualTo(options.toString());
    assertThat(AgentOptions.parse(options.toString()).given()).isEqualTo(options.given());
    for (AgentOption option : AgentOption.values()) {
      assertThat(AgentOptions.parse(options.toString()).text(option))
          .isEqualTo(options.text(option));
    }
  }

  @Test
  void a_comma_in_a_name_has_a_backslash() throws OptionException {
    assertThat(AgentOptions.parse("out=a\\,b.eddy,deep").text(AgentOption.OUT))
        .isEqualTo("a,b.eddy");
  }

  @Test
  void one_value_is_replaced() throws OptionException {
    AgentOptions options = AgentOptions.parse("deep,out=a").with(AgentOption.OUT, "/tmp/b,c");

    assertThat(options).hasToString("out=/tmp/b\\,c,deep");
  }

  @Test
  void a_window_is_between_times_or_marks() throws OptionException {
    Window times = AgentOptions.parse("window=30s..1m").window().orElseThrow();
    Window marks = AgentOptions.parse("window=step 10..step 20").window().orElseThrow();
    Window open = AgentOptions.parse("window=..5s").window().orElseThrow();

    assertThat(times.fromNanos()).hasValue(30_000_000_000L);
    assertThat(times.toNanos()).hasValue(60_000_000_000L);
    assertThat(times.fromMark()).isEmpty();
    assertThat(marks.fromMark()).hasValue("step 10");
    assertThat(marks.toMark()).hasValue("step 20");
    assertThat(marks.fromNanos()).isEmpty();
    assertThat(open.fromNanos()).hasValue(0);
    assertThat(open.toNanos()).hasValue(5_000_000_000L);
  }

  @Test
  void the_table_names_every_option() {
    assertThat(AgentOption.markdown().lines()).hasSize(2 + AgentOption.values().length);
    assertThat(AgentOption.markdown()).contains("| `deep` | `off` | Also record");
  }
}
