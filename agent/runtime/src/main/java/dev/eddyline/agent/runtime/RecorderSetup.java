package dev.eddyline.agent.runtime;

import dev.eddyline.options.AgentOption;
import dev.eddyline.options.AgentOptions;
import dev.eddyline.options.FilePattern;
import dev.eddyline.options.JobPlace;
import dev.eddyline.options.Window;
import dev.eddyline.recorder.BlockedCall;
import dev.eddyline.recorder.RecorderOptions;
import dev.eddyline.recorder.RecordingWindow;
import dev.eddyline.recorder.shim.Shim;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** What the agent's options mean to the recorder. */
final class RecorderSetup {
  private RecorderSetup() {}

  static RecorderOptions of(AgentOptions options, Consumer<BlockedCall> onBlocked) {
    JobPlace place = JobPlace.of(System.getenv());
    int bufferBytes = (int) options.bytes(AgentOption.BUFFER_SIZE);
    long most = Math.min(options.bytes(AgentOption.BUFFERS), Integer.MAX_VALUE);
    RecorderOptions.Builder builder =
        new RecorderOptions.Builder(() -> file(options))
            .deep(options.flag(AgentOption.DEEP))
            .ring(
                options.nanos(AgentOption.RING),
                options.bytes(AgentOption.RING_SIZE),
                options.nanos(AgentOption.RING_BLOCK))
            .hang(options.nanos(AgentOption.HANG))
            .window(options.window().map(RecorderSetup::window).orElse(RecordingWindow.ALWAYS))
            .flush(options.nanos(AgentOption.FLUSH))
            .buffers(bufferBytes, (int) Math.min(most / bufferBytes, RecorderOptions.MAX_BUFFERS))
            .deviceBuffers(options.bytes(AgentOption.DEVICE_BUFFERS))
            .rank(place.rank(), place.worldSize())
            .properties(properties())
            .onBlocked(onBlocked);
    if (options.has(AgentOption.CUPTI)) {
      builder.cupti(List.of(Path.of(options.text(AgentOption.CUPTI))));
    }
    setStacks(builder, options);
    return builder.build();
  }

  private static Path file(AgentOptions options) {
    return FilePattern.fill(options.text(AgentOption.OUT), FilePattern.ofThisProcess())
        .toAbsolutePath();
  }

  private static RecordingWindow window(Window window) {
    return new RecordingWindow(
        window.fromNanos().orElse(0),
        window.fromMark().orElse(null),
        window.toNanos().orElse(Long.MAX_VALUE),
        window.toMark().orElse(null));
  }

  private static void setStacks(RecorderOptions.Builder builder, AgentOptions options) {
    Set<String> words = options.words(AgentOption.STACKS);
    int bits =
        (words.contains("record") ? Shim.STACKS_RECORD : 0)
            | (words.contains("wait") ? Shim.STACKS_WAIT : 0)
            | (words.contains("launch") ? Shim.STACKS_LAUNCH : 0);
    long from = words.contains("none") ? Long.MAX_VALUE : options.nanos(AgentOption.STACK_OVER);
    builder.stacks(bits, from, words.contains("blocked-launch"));
  }

  /** What the file's header says of this JVM; no command line, no environment. */
  private static Map<String, String> properties() {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("Java", Runtime.version().toString());
    properties.put("JVM", System.getProperty("java.vm.name", ""));
    return properties;
  }
}
