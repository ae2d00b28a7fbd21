package dev.eddyline.recorder.gpu;

import java.nio.file.Files;
import java.nio.file.Path;
import org.bytedeco.cuda.cudart.CUevent_st;
import org.bytedeco.cuda.cudart.CUfunc_st;
import org.bytedeco.cuda.cudart.CUmod_st;
import org.bytedeco.cuda.cudart.CUstream_st;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;

/** CUDA by JavaCPP's presets, for programs that are recorded. */
final class Gpu {
  private static final String PTX =
      """
      .version 7.0
      .target sm_75
      .address_size 64
      .visible .entry empty() { ret; }
      .visible .entry spin(.param .u64 ns) {
        .reg .u64 %t; .reg .u64 %e; .reg .u64 %n; .reg .pred %p;
        ld.param.u64 %n, [ns];
        mov.u64 %t, %globaltimer;
        add.u64 %e, %t, %n;
      L: mov.u64 %t, %globaltimer;
        setp.lt.u64 %p, %t, %e;
        @%p bra L;
        ret;
      }
      .visible .entry add(.param .u64 p) {
        .reg .u64 %a; .reg .u32 %v;
        ld.param.u64 %a, [p];
        cvta.to.global.u64 %a, %a;
        atom.global.add.u32 %v, [%a], 1;
        ret;
      }
      .visible .entry touch(.param .u64 a, .param .u64 b, .param .f32 s) { ret; }
      """;

  private static final PointerPointer<Pointer> NONE = null;

  private final CUmod_st module = new CUmod_st();
  final CUfunc_st empty = new CUfunc_st();
  final CUfunc_st spin = new CUfunc_st();
  final CUfunc_st touch = new CUfunc_st();
  final CUfunc_st add = new CUfunc_st();

  Gpu() {
    for (String folder : System.getenv().getOrDefault("LD_LIBRARY_PATH", "").split(":")) {
      Path runtime = Path.of(folder, "libcudart.so.13");
      if (Files.exists(runtime)) {
        System.load(runtime.toString());
        break;
      }
    }
    Loader.load(cudart.class);
    check(cudart.cudaSetDevice(0));
    check(cudart.cudaFree(null));
    check(cudart.cuModuleLoadData(module, new BytePointer(PTX)));
    check(cudart.cuModuleGetFunction(empty, module, "empty"));
    check(cudart.cuModuleGetFunction(spin, module, "spin"));
    check(cudart.cuModuleGetFunction(touch, module, "touch"));
    check(cudart.cuModuleGetFunction(add, module, "add"));
  }

  static void check(int code) {
    if (code != 0) {
      throw new IllegalStateException("CUDA error " + code);
    }
  }

  CUstream_st stream() {
    CUstream_st stream = new CUstream_st();
    check(cudart.cudaStreamCreateWithFlags(stream, 1));
    return stream;
  }

  CUevent_st event() {
    CUevent_st event = new CUevent_st();
    check(cudart.cudaEventCreateWithFlags(event, 2));
    return event;
  }

  void launch(CUstream_st stream) {
    check(cudart.cuLaunchKernel(empty, 1, 1, 1, 1, 1, 1, 0, stream, NONE, NONE));
  }

  void spin(CUstream_st stream, long nanos) {
    try (LongPointer value = new LongPointer(1);
        PointerPointer<Pointer> arguments = new PointerPointer<>(1)) {
      value.put(0, nanos);
      arguments.put(0, value);
      check(cudart.cuLaunchKernel(spin, 1, 1, 1, 1, 1, 1, 0, stream, arguments, NONE));
    }
  }

  /** A launch that adds one to a number; its address stands in the arguments. */
  void add(CUstream_st stream, PointerPointer<Pointer> arguments) {
    check(cudart.cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, stream, arguments, NONE));
  }

  /** A launch with two pointers and a float; the arrays are the caller's, nothing is allocated. */
  void touch(CUstream_st stream, PointerPointer<Pointer> arguments) {
    check(cudart.cuLaunchKernel(touch, 1, 1, 1, 1, 1, 1, 0, stream, arguments, NONE));
  }
}
