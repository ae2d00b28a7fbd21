package dev.eddyline.cuda;

import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Kernel;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.bytedeco.cuda.cudart.CUfunc_st;
import org.bytedeco.cuda.cudart.CUmod_st;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.cuda.global.nvrtc;
import org.bytedeco.cuda.nvrtc._nvrtcProgram;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.javacpp.SizeTPointer;

/** Kernels of one device, compiled once each and kept for the life of the process. */
final class CudaKernels {
  private final String architecture;
  private final List<String> includePaths;

  /**
   * By the kernel, so that a launch costs one look-up, and by the text, so that each is built once.
   */
  private final Map<Kernel, CUfunc_st> byKernel = new ConcurrentHashMap<>();

  private final Map<Text, CUfunc_st> byText = new ConcurrentHashMap<>();

  private record Text(String name, String source) {}

  CudaKernels(String architecture, List<String> includePaths) {
    this.architecture = architecture;
    this.includePaths = includePaths;
  }

  /** The function of a kernel; the device is the thread's current one. */
  CUfunc_st function(Kernel kernel) {
    CUfunc_st known = byKernel.get(kernel);
    if (known != null) {
      return known;
    }
    CUfunc_st function =
        byText.computeIfAbsent(
            new Text(kernel.name(), kernel.source()), text -> load(kernel, compile(kernel)));
    byKernel.put(kernel, function);
    return function;
  }

  private byte[] compile(Kernel kernel) {
    String source = KernelSource.of(kernel);
    List<String> options = KernelSource.options(architecture, includePaths);
    _nvrtcProgram program = new _nvrtcProgram();
    try (BytePointer text = new BytePointer(source);
        BytePointer name = new BytePointer(KernelSource.file(kernel));
        PointerPointer<BytePointer> arguments =
            new PointerPointer<>(options.toArray(String[]::new))) {
      check(
          nvrtc.nvrtcCreateProgram(
              program, text, name, 0, (PointerPointer<?>) null, (PointerPointer<?>) null),
          "nvrtcCreateProgram");
      try {
        int code = nvrtc.nvrtcCompileProgram(program, options.size(), arguments);
        if (code != 0) {
          throw new DeviceException(
              Reason.INVALID_ARGUMENT, KernelSource.failed(kernel, text(code), log(program)));
        }
        return binary(program);
      } finally {
        nvrtc.nvrtcDestroyProgram(program);
      }
    }
  }

  private static byte[] binary(_nvrtcProgram program) {
    try (SizeTPointer size = new SizeTPointer(1)) {
      check(nvrtc.nvrtcGetCUBINSize(program, size), "nvrtcGetCUBINSize");
      byte[] binary = new byte[Math.toIntExact(size.get())];
      check(nvrtc.nvrtcGetCUBIN(program, binary), "nvrtcGetCUBIN");
      return binary;
    }
  }

  private static String log(_nvrtcProgram program) {
    try (SizeTPointer size = new SizeTPointer(1)) {
      check(nvrtc.nvrtcGetProgramLogSize(program, size), "nvrtcGetProgramLogSize");
      byte[] log = new byte[Math.toIntExact(size.get())];
      check(nvrtc.nvrtcGetProgramLog(program, log), "nvrtcGetProgramLog");
      return Faults.terminated(log);
    }
  }

  private static CUfunc_st load(Kernel kernel, byte[] binary) {
    ByteBuffer image = ByteBuffer.allocateDirect(binary.length).put(binary).rewind();
    CUmod_st module = new CUmod_st();
    Faults.check(
        cudart.cuModuleLoadData(module, new BytePointer(image)),
        "cuModuleLoadData of kernel '" + kernel.name() + "'");
    CUfunc_st function = new CUfunc_st();
    Faults.check(
        cudart.cuModuleGetFunction(function, module, kernel.name()),
        "cuModuleGetFunction of kernel '" + kernel.name() + "'");
    return function;
  }

  private static void check(int code, String call) {
    if (code != 0) {
      throw new DeviceException(
          Reason.DRIVER,
          call + " failed: " + text(code) + " (" + code + "); is NVRTC as new as the driver?");
    }
  }

  private static String text(int code) {
    return Faults.string(nvrtc.nvrtcGetErrorString(code), "unknown error");
  }
}
