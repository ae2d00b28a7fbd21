package dev.eddyline.recorder.decode;

/**
 * Where the fields of CUPTI's activity records lie, in bytes from the record's beginning. From CUDA
 * 12.0 to 13.1 no field that is read here has moved; some came later, and are read only where the
 * running version has them.
 *
 * @param eventSyncId of a CUDA_EVENT record, {@link #ABSENT} before CUDA 12.8
 * @param syncSyncId of a SYNCHRONIZATION record, likewise
 * @param syncResult of a SYNCHRONIZATION record, likewise
 * @param overheadCorrelation of an OVERHEAD record, {@link #ABSENT} before CUDA 12.2
 */
public record Layout(int eventSyncId, int syncSyncId, int syncResult, int overheadCorrelation) {
  /** A field that the running version does not have. */
  public static final int ABSENT = -1;

  /** Versions, as {@code cuptiGetVersion} numbers them, from which fields are there. */
  static final int CUDA_12_2 = 20;

  static final int CUDA_12_8 = 26;

  public static final int KIND = 0;

  // CONCURRENT_KERNEL: CUpti_ActivityKernel9 (12), 10 (13.0), 11 (13.1)
  public static final int KERNEL_START = 16;
  public static final int KERNEL_END = 24;
  public static final int KERNEL_DEVICE = 40;
  public static final int KERNEL_CONTEXT = 44;
  public static final int KERNEL_STREAM = 48;
  public static final int KERNEL_GRID = 52;
  public static final int KERNEL_BLOCK = 64;
  public static final int KERNEL_CORRELATION = 92;
  public static final int KERNEL_NAME = 104;
  public static final int KERNEL_GRAPH_NODE = 144;
  public static final int KERNEL_GRAPH = 156;

  // RUNTIME, DRIVER: CUpti_ActivityAPI
  public static final int API_CBID = 4;
  public static final int API_START = 8;
  public static final int API_END = 16;
  public static final int API_THREAD = 28;
  public static final int API_CORRELATION = 32;
  public static final int API_RESULT = 36;

  // MEMCPY: CUpti_ActivityMemcpy5 (12), 6 (13)
  public static final int COPY_KIND = 4;
  public static final int COPY_FROM = 5;
  public static final int COPY_TO = 6;
  public static final int COPY_BYTES = 8;
  public static final int COPY_START = 16;
  public static final int COPY_END = 24;
  public static final int COPY_DEVICE = 32;
  public static final int COPY_CONTEXT = 36;
  public static final int COPY_STREAM = 40;
  public static final int COPY_CORRELATION = 44;
  public static final int COPY_GRAPH_NODE = 64;
  public static final int COPY_GRAPH = 72;

  // MEMCPY2, between devices: CUpti_ActivityMemcpyPtoP4; up to the stream as MEMCPY
  public static final int PEER_CORRELATION = 60;
  public static final int PEER_GRAPH_NODE = 72;
  public static final int PEER_GRAPH = 80;

  // MEMSET: CUpti_ActivityMemset4; from bytes to correlation as MEMCPY
  public static final int FILL_MEMORY = 50;

  // MEMORY2: CUpti_ActivityMemory3 (12), 4 (13)
  public static final int MEMORY_OPERATION = 4;
  public static final int MEMORY_KIND = 8;
  public static final int MEMORY_CORRELATION = 12;
  public static final int MEMORY_ADDRESS = 16;
  public static final int MEMORY_BYTES = 24;
  public static final int MEMORY_TIME = 32;
  public static final int MEMORY_DEVICE = 52;
  public static final int MEMORY_CONTEXT = 56;
  public static final int MEMORY_STREAM = 60;

  // STREAM: CUpti_ActivityStream
  public static final int STREAM_CONTEXT = 4;
  public static final int STREAM_ID = 8;
  public static final int STREAM_PRIORITY = 12;
  public static final int STREAM_FLAG = 16;
  public static final int STREAM_CORRELATION = 20;

  // CONTEXT: CUpti_ActivityContext3
  public static final int CONTEXT_ID = 4;
  public static final int CONTEXT_DEVICE = 8;
  public static final int CONTEXT_NULL_STREAM = 14;

  // DEVICE: CUpti_ActivityDevice5
  public static final int DEVICE_MULTIPROCESSORS = 44;
  public static final int DEVICE_ID = 112;
  public static final int DEVICE_NAME = 136;

  // EXTERNAL_CORRELATION: CUpti_ActivityExternalCorrelation
  public static final int EXTERNAL_ID = 8;
  public static final int EXTERNAL_CORRELATION = 16;

  // OVERHEAD: CUpti_ActivityOverhead2 (12), 3 (13)
  public static final int OVERHEAD_KIND = 4;
  public static final int OVERHEAD_OBJECT = 8;
  public static final int OVERHEAD_THREAD = 16;
  public static final int OVERHEAD_START = 24;
  public static final int OVERHEAD_END = 32;
  private static final int OVERHEAD_CORRELATION = 40;

  // CUDA_EVENT: CUpti_ActivityCudaEvent, from 12.8 on CudaEvent2
  public static final int EVENT_CORRELATION = 4;
  public static final int EVENT_CONTEXT = 8;
  public static final int EVENT_STREAM = 12;
  public static final int EVENT_ID = 16;
  private static final int EVENT_SYNC_ID = 48;

  // SYNCHRONIZATION: CUpti_ActivitySynchronization, from 12.8 on Synchronization2
  public static final int SYNC_TYPE = 4;
  public static final int SYNC_START = 8;
  public static final int SYNC_END = 16;
  public static final int SYNC_CORRELATION = 24;
  public static final int SYNC_CONTEXT = 28;
  public static final int SYNC_STREAM = 32;
  public static final int SYNC_EVENT = 36;
  private static final int SYNC_SYNC_ID = 40;
  private static final int SYNC_RESULT = 48;

  /** The layout of a version, as {@code cuptiGetVersion} says it. */
  public static Layout of(int version) {
    boolean syncIds = version >= CUDA_12_8;
    return new Layout(
        syncIds ? EVENT_SYNC_ID : ABSENT,
        syncIds ? SYNC_SYNC_ID : ABSENT,
        syncIds ? SYNC_RESULT : ABSENT,
        version >= CUDA_12_2 ? OVERHEAD_CORRELATION : ABSENT);
  }
}
