package dev.eddyline.cuda;

import dev.eddyline.device.Device;
import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.cuda.global.cudart;

/** What CUDA, NCCL and this API keep for each host thread. */
final class ThreadState {
  private static final ThreadLocal<ThreadState> CURRENT = ThreadLocal.withInitial(ThreadState::new);

  private final Map<CudaDevice, CudaStream> perThreadStreams = new HashMap<>();
  private final ArrayDeque<Use> uses = new ArrayDeque<>();
  private int current = -1;

  /** Depth of groups of collectives, and the communicators that were called in them. */
  int groupDepth;

  final List<CudaCommunicator> grouped = new ArrayList<>();

  final LaunchArguments arguments = new LaunchArguments();

  /** Whether a host function runs on this thread. */
  boolean insideHostFunction;

  private static final class Use {
    private final CudaStream stream;

    Use(CudaStream stream) {
      this.stream = stream;
    }
  }

  static ThreadState get() {
    return CURRENT.get();
  }

  /** Begins a call: makes a device the thread's current one. */
  void enter(CudaDevice device) {
    if (insideHostFunction) {
      throw new DeviceException(
          Reason.NOT_PERMITTED,
          "a host function must not call the device: it runs on CUDA's own thread, and CUDA would"
              + " wait for itself");
    }
    if (current != device.number()) {
      Faults.check(cudart.cudaSetDevice(device.number()), "cudaSetDevice");
      current = device.number();
    }
    device.checkHealth();
  }

  CudaStream perThreadStream(CudaDevice device) {
    return perThreadStreams.computeIfAbsent(device, CudaStream::perThread);
  }

  CudaStream currentStream(CudaDevice device) {
    for (Use use : uses) {
      if (use.stream.device() == device) {
        return use.stream;
      }
    }
    return device.defaultStream();
  }

  Device.Scope use(CudaStream stream) {
    Use use = new Use(stream);
    uses.push(use);
    return () -> {
      ThreadState closing = get();
      if (closing != this || uses.peek() != use) {
        throw new DeviceException(
            Reason.INVALID_ARGUMENT,
            "scopes of current streams are closed innermost first, by the thread that opened them");
      }
      uses.pop();
    };
  }
}
