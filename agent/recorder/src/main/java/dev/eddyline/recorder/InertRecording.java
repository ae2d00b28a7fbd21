package dev.eddyline.recorder;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Records nothing, and says why. */
record InertRecording(String why) implements Recording {
  @Override
  public boolean isActive() {
    return false;
  }

  @Override
  public String info() {
    return "not recording: " + why;
  }

  @Override
  public String snapshot(@Nullable Path target) {
    return info();
  }

  @Override
  public String detach() {
    return info();
  }

  @Override
  public void shutdown() {}

  @Override
  public Consumer<ByteBuffer> marks() {
    return mark -> {};
  }
}
