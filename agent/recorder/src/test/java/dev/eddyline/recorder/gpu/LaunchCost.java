package dev.eddyline.recorder.gpu;

import dev.eddyline.recorder.Recorder;
import dev.eddyline.recorder.RecorderOptions;
import dev.eddyline.recorder.Recording;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.bytedeco.cuda.cudart.CUstream_st;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;

/**
 * What a launch costs its thread. Arguments: file or "-" (nothing is recorded here: CUPTI's kinds may
 * be on all the same, by an injected library), "deep" or "default" or "launch-stacks", rounds.
 */
public final class LaunchCost {
  private static final int LAUNCHES = 20_000;

  private LaunchCost() {}

  public static void main(String[] arguments) throws Exception {
    Recording recording = null;
    if (!arguments[0].equals("-")) {
      Path file = Path.of(arguments[0]);
      Files.deleteIfExists(file);
      RecorderOptions.Builder options = RecorderOptions.into(file).change();
      options.deep(arguments[1].equals("deep"));
      if (arguments[1].equals("launch-stacks")) {
        options.stacks(0, 500_000, true);
      }
      recording = Recorder.start(options.build(), line -> System.err.println("eddyline: " + line));
    }
    Gpu gpu = new Gpu();
    CUstream_st stream = gpu.stream();
    int rounds = Integer.parseInt(arguments[2]);
    LongPointer addresses = new LongPointer(2);
    FloatPointer scale = new FloatPointer(1f);
    PointerPointer<Pointer> parameters = new PointerPointer<>(3);
    parameters.put(0, addresses);
    parameters.put(1, new LongPointer(addresses).position(1));
    parameters.put(2, scale);
    double[] micros = new double[rounds];
    for (int round = -1; round < rounds; round++) {
      long from = System.nanoTime();
      for (int i = 0; i < LAUNCHES; i++) {
        gpu.touch(stream, parameters);
      }
      long to = System.nanoTime();
      Gpu.check(cudart.cudaStreamSynchronize(stream));
      if (round >= 0) {
        micros[round] = (to - from) / 1e3 / LAUNCHES;
      }
    }
    Arrays.sort(micros);
    System.out.printf(Locale.ROOT, "COST %s %s %.4f%n", arguments[0], arguments[1], micros[rounds / 2]);
    if (recording != null) {
      recording.shutdown();
    }
  }
}
