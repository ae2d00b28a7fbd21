package dev.eddyline.cuda;

import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import org.bytedeco.cuda.global.nccl;

/** Turns NCCL's result codes into exceptions that name the call, the code and what to do. */
final class NcclFaults {
  static final int SUCCESS = 0;
  static final int IN_PROGRESS = 7;
  private static final int UNHANDLED_CUDA = 1;
  private static final int SYSTEM = 2;
  private static final int INTERNAL = 3;
  private static final int INVALID_ARGUMENT = 4;
  private static final int INVALID_USAGE = 5;
  private static final int REMOTE = 6;

  private NcclFaults() {}

  /** Throws if a call that belongs to no communicator failed. */
  static void check(int code, String call) {
    if (code != SUCCESS && code != IN_PROGRESS) {
      throw new DeviceException(
          reason(code),
          message(code, call, text(code), Faults.string(nccl.ncclGetLastError(null), "")));
    }
  }

  static String text(int code) {
    return Faults.string(nccl.ncclGetErrorString(code), "unknown error");
  }

  static Reason reason(int code) {
    return switch (code) {
      case INVALID_ARGUMENT, INVALID_USAGE -> Reason.INVALID_ARGUMENT;
      case REMOTE -> Reason.COMMUNICATOR;
      case UNHANDLED_CUDA -> Reason.DRIVER;
      default -> Reason.COMMUNICATOR;
    };
  }

  /** What went wrong, with NCCL's own last words if it has any. */
  static String message(int code, String call, String text, String last) {
    String detail = last.isBlank() ? "" : " (" + last.strip() + ")";
    return call + " failed: " + text + " (" + code + ")" + detail + "; " + advice(code);
  }

  static String advice(int code) {
    return switch (code) {
      case UNHANDLED_CUDA -> "a CUDA call inside NCCL failed: NCCL_DEBUG=WARN names it";
      case SYSTEM ->
          "a socket, file or memory call of NCCL failed: look at NCCL_SOCKET_IFNAME and /dev/shm";
      case INTERNAL -> "NCCL is at fault, or memory was overwritten: NCCL_DEBUG=WARN says more";
      case INVALID_ARGUMENT -> "a buffer, count, rank or id does not fit the communicator";
      case INVALID_USAGE ->
          "the calls do not go together: every rank makes the same calls in the same order, each on"
              + " a GPU of its own";
      case REMOTE -> "another rank is gone: abort the communicator and join one without that rank";
      default -> "NCCL_DEBUG=WARN says more";
    };
  }
}
