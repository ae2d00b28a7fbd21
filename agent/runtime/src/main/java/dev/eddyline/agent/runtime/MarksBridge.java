package dev.eddyline.agent.runtime;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes the marks of the program to the recorder that is at work. Copies of the class Marks keep
 * this sink for good; without a recorder it forgets what it gets. Any thread may mark.
 */
final class MarksBridge implements Consumer<ByteBuffer> {
  private static final String MARKS = "dev.eddyline.marks.Marks";
  private volatile @Nullable Consumer<ByteBuffer> recorder;

  /** Where marks go from now on; null for nowhere. */
  void to(@Nullable Consumer<ByteBuffer> newRecorder) {
    recorder = newRecorder;
  }

  @Override
  public void accept(ByteBuffer mark) {
    Consumer<ByteBuffer> to = recorder;
    if (to != null) {
      to.accept(mark);
    }
  }

  /** Tells every copy of Marks that is loaded; those loaded later ask by themselves. */
  int introduce(Instrumentation instrumentation, AgentLog log) {
    int told = 0;
    for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
      if (loaded.getName().equals(MARKS)) {
        try {
          Method setSink = loaded.getMethod("setSink", Consumer.class);
          setSink.invoke(null, this);
          told++;
        } catch (ReflectiveOperationException | RuntimeException | LinkageError notOurs) {
          log.debug("a class " + MARKS + " takes no sink: " + notOurs);
        }
      }
    }
    return told;
  }
}
