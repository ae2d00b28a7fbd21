package dev.eddyline.device.sim;

/** The calls of CUDA's runtime that stand in a trace. */
enum Api {
  LAUNCH_KERNEL("cudaLaunchKernel"),
  LAUNCH_KERNEL_EX("cuLaunchKernelEx"),
  LAUNCH_HOST_FUNCTION("cudaLaunchHostFunc"),
  COPY_ASYNC("cudaMemcpyAsync"),
  COPY("cudaMemcpy"),
  FILL_ASYNC("cudaMemsetAsync"),
  FILL("cudaMemset"),
  EVENT_CREATE("cudaEventCreateWithFlags"),
  EVENT_DESTROY("cudaEventDestroy"),
  EVENT_RECORD("cudaEventRecord"),
  EVENT_QUERY("cudaEventQuery"),
  EVENT_SYNCHRONIZE("cudaEventSynchronize"),
  EVENT_ELAPSED("cudaEventElapsedTime"),
  STREAM_CREATE("cudaStreamCreateWithPriority"),
  STREAM_DESTROY("cudaStreamDestroy"),
  STREAM_WAIT_EVENT("cudaStreamWaitEvent"),
  STREAM_SYNCHRONIZE("cudaStreamSynchronize"),
  STREAM_QUERY("cudaStreamQuery"),
  DEVICE_SYNCHRONIZE("cudaDeviceSynchronize"),
  MALLOC("cudaMalloc"),
  MALLOC_ASYNC("cudaMallocAsync"),
  MALLOC_HOST("cudaHostAlloc"),
  FREE("cudaFree"),
  FREE_ASYNC("cudaFreeAsync"),
  FREE_HOST("cudaFreeHost"),
  MEMORY_INFO("cudaMemGetInfo");

  /** CUDA's result of a query of unfinished work. */
  static final int NOT_READY = 600;

  private final String call;

  Api(String call) {
    this.call = call;
  }

  String call() {
    return call;
  }

  /** Whether the call enqueues, records, waits or syncs. */
  boolean orders() {
    return switch (this) {
      case EVENT_CREATE,
          EVENT_DESTROY,
          EVENT_QUERY,
          EVENT_ELAPSED,
          STREAM_CREATE,
          STREAM_DESTROY,
          STREAM_QUERY,
          MALLOC,
          MALLOC_HOST,
          MEMORY_INFO ->
          false;
      default -> true;
    };
  }

  /** "is blocked in cudaStreamSynchronize of 'compute'". */
  String waiting(String what) {
    return "is blocked in " + call + " of '" + what + "'";
  }
}
