package dev.eddyline.cuda;

import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import java.nio.charset.StandardCharsets;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.javacpp.BytePointer;
import org.jspecify.annotations.Nullable;

/** Turns result codes into exceptions that name the call, the code and what to do. */
final class Faults {
  static final int NOT_READY = 600;
  private static final int INVALID_VALUE = 1;
  private static final int OUT_OF_MEMORY = 2;
  private static final int INSUFFICIENT_DRIVER = 35;
  private static final int NO_DEVICE = 100;
  private static final int NO_BINARY = 209;
  private static final int INVALID_HANDLE = 400;
  private static final int ILLEGAL_ADDRESS = 700;
  private static final int OUT_OF_RESOURCES = 701;
  private static final int TIMEOUT = 702;
  private static final int ASSERT = 710;
  private static final int LAUNCH_FAILURE = 719;
  private static final int NOT_PERMITTED = 800;
  private static final int SYSTEM_NOT_READY = 802;

  private Faults() {}

  /** Throws if a call of the runtime or the driver failed; both number their errors alike. */
  static void check(int code, String call) {
    if (code != 0) {
      throw of(code, call);
    }
  }

  static DeviceException of(int code, String call) {
    return of(code, call, name(code), text(code));
  }

  /** The exception for a code, with the driver's own words for it. */
  static DeviceException of(int code, String call, String name, String text) {
    return new DeviceException(
        reason(code), call + " failed: " + name + " (" + code + "), " + text + "; " + advice(code));
  }

  private static String name(int code) {
    return string(cudart.cudaGetErrorName(code), "unknown error");
  }

  private static String text(int code) {
    return string(cudart.cudaGetErrorString(code), "no description");
  }

  static String string(@Nullable BytePointer text, String otherwise) {
    return text == null || text.isNull() ? otherwise : text.getString();
  }

  /** C's string in an array. */
  static String terminated(byte[] text) {
    int length = 0;
    while (length < text.length && text[length] != 0) {
      length++;
    }
    return new String(text, 0, length, StandardCharsets.UTF_8);
  }

  static Reason reason(int code) {
    return switch (code) {
      case INVALID_VALUE, INVALID_HANDLE -> Reason.INVALID_ARGUMENT;
      case OUT_OF_MEMORY -> Reason.OUT_OF_MEMORY;
      case NOT_PERMITTED -> Reason.NOT_PERMITTED;
      default -> isSticky(code) ? Reason.LAUNCH_FAILED : Reason.DRIVER;
    };
  }

  /** Whether the device's context is lost with it: every later call says it again. */
  static boolean isSticky(int code) {
    return code == ILLEGAL_ADDRESS || code > OUT_OF_RESOURCES && code <= LAUNCH_FAILURE;
  }

  static String advice(int code) {
    return switch (code) {
      case INVALID_VALUE ->
          "an argument makes no sense to CUDA: look at the sizes, kinds and devices of the buffers";
      case INVALID_HANDLE ->
          "a stream or event was destroyed, or belongs to another device: keep it until its last"
              + " use";
      case OUT_OF_MEMORY -> "free buffers, make them smaller, or use fewer processes on this GPU";
      case INSUFFICIENT_DRIVER ->
          "install a driver as new as the CUDA runtime, or an older runtime";
      case NO_DEVICE -> "no GPU is visible: look at nvidia-smi and CUDA_VISIBLE_DEVICES";
      case NO_BINARY -> "the kernel was compiled for another GPU: compile it on this one";
      case NOT_PERMITTED -> "host functions must not call CUDA: move the call out of them";
      case TIMEOUT -> "a kernel ran too long for a GPU with a display: make it shorter";
      case ASSERT -> "an assert in a kernel failed: its text is on the standard output";
      case ILLEGAL_ADDRESS, LAUNCH_FAILURE ->
          "a kernel touched memory that is not its own, and this process can use the device no"
              + " more: run it under compute-sanitizer";
      case SYSTEM_NOT_READY -> "the NVSwitch fabric is not up: start nvidia-fabricmanager";
      default -> "CUDA's documentation of this code says more";
    };
  }
}
