package dev.eddyline.analysis.importer.kineto;

import java.util.Locale;

/** What an event is, by its {@code cat}; files of 2021 have capitalised words of their own. */
enum Category {
  KERNEL,
  COPY,
  FILL,
  CALL,
  OPERATOR,
  ANNOTATION,
  PYTHON,
  SYNC,
  EVENT_RECORD,
  /** The time in which the profiler recorded. */
  RECORDING,
  OTHER;

  static Category of(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "kernel" -> KERNEL;
      case "gpu_memcpy", "memcpy" -> COPY;
      case "gpu_memset", "memset" -> FILL;
      case "cuda_runtime", "cuda_driver", "runtime", "driver" -> CALL;
      case "cpu_op", "operator" -> OPERATOR;
      case "user_annotation" -> ANNOTATION;
      case "python_function" -> PYTHON;
      case "cuda_sync" -> SYNC;
      case "cuda_event" -> EVENT_RECORD;
      case "trace" -> RECORDING;
      default -> OTHER;
    };
  }

  boolean isOp() {
    return this == KERNEL || this == COPY || this == FILL;
  }
}
