package dev.eddyline.cuda;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.bytedeco.cuda.cudart.cudaHostFn_t;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.javacpp.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * Java that runs in a stream's order. One native callback serves the whole process, because JavaCPP
 * has only ten of a type and gives null for the eleventh; what to run is told apart by a number.
 */
final class HostFunctions {
  private static final ConcurrentMap<Long, Waiting> WAITING = new ConcurrentHashMap<>();
  private static final AtomicLong LAST = new AtomicLong();
  private static final Callback CALLBACK = new Callback();

  private HostFunctions() {}

  private record Waiting(CudaDevice device, String name, Runnable body) {}

  private static final class Callback extends cudaHostFn_t {
    @Override
    public void call(@Nullable Pointer number) {
      if (number != null) {
        run(number.address());
      }
    }
  }

  static void launch(CudaStream stream, String name, Runnable body) {
    long number = LAST.incrementAndGet();
    WAITING.put(number, new Waiting(stream.device(), name, body));
    int code = cudart.cudaLaunchHostFunc(stream.pointer(), CALLBACK, new Raw(number));
    if (code != 0) {
      WAITING.remove(number);
      throw Faults.of(code, "cudaLaunchHostFunc");
    }
  }

  /** On CUDA's thread: nothing may be thrown into it. */
  private static void run(long number) {
    Waiting waiting = WAITING.remove(number);
    if (waiting == null) {
      return;
    }
    ThreadState state = ThreadState.get();
    state.insideHostFunction = true;
    try {
      waiting.body().run();
    } catch (RuntimeException | Error e) {
      waiting.device().fail(waiting.name(), e);
    } finally {
      state.insideHostFunction = false;
    }
  }
}
