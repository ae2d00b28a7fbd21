package dev.eddyline.agent.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eddyline.marks.Marks;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MarksBridgeTest {
  private final MarksBridge bridge = new MarksBridge();
  private final List<ByteBuffer> marks = new ArrayList<>();

  @AfterEach
  void take_the_sink_away() {
    Marks.setSink(null);
  }

  private static Instrumentation loaded(Class<?>... classes) {
    return (Instrumentation)
        Proxy.newProxyInstance(
            MarksBridgeTest.class.getClassLoader(),
            new Class<?>[] {Instrumentation.class},
            (self, method, arguments) ->
                method.getName().equals("getAllLoadedClasses") ? classes : null);
  }

  @Test
  void every_loaded_copy_is_told() throws Exception {
    URL place = Marks.class.getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader other = new URLClassLoader(new URL[] {place}, null)) {
      Class<?> copy = other.loadClass(Marks.class.getName());

      int told =
          bridge.introduce(loaded(String.class, Marks.class, copy), new AgentLog(System.err));
      bridge.to(marks::add);
      Marks.begin("a");
      copy.getMethod("begin", String.class).invoke(null, "b");

      assertThat(told).isEqualTo(2);
      assertThat(marks).hasSize(2);
      assertThat(copy.getMethod("isOn").invoke(null)).isEqualTo(true);
    }
  }

  @Test
  void without_a_recorder_marks_go_nowhere() {
    bridge.introduce(loaded(Marks.class), new AgentLog(System.err));
    Marks.begin("nobody listens");
    bridge.to(marks::add);
    bridge.to(null);
    Marks.end();

    assertThat(marks).isEmpty();
  }
}
