package dev.eddyline.cuda;

import dev.eddyline.device.DataType;
import dev.eddyline.device.ReduceOp;

/** NCCL's numbers; they are fixed by its header. */
final class NcclTypes {
  private NcclTypes() {}

  static int of(DataType type) {
    return switch (type) {
      case INT8 -> 0;
      case UINT8 -> 1;
      case INT32 -> 2;
      case UINT32 -> 3;
      case INT64 -> 4;
      case UINT64 -> 5;
      case FLOAT16 -> 6;
      case FLOAT32 -> 7;
      case FLOAT64 -> 8;
      case BFLOAT16 -> 9;
    };
  }

  static int of(ReduceOp op) {
    return switch (op) {
      case SUM -> 0;
      case PROD -> 1;
      case MAX -> 2;
      case MIN -> 3;
      case AVG -> 4;
    };
  }
}
