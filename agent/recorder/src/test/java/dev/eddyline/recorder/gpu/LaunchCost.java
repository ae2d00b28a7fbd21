package dev.eddyline.recorder.gpu;

import dev.eddyline.recorder.Recorder;
import dev.eddyline.recorder.RecorderOptions;
import dev.eddyline.recorder.Recording;
import dev.eddyline.recorder.shim.Shim;
import java.lang.ref.Reference;
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
 * What a launch costs its thread: rounds in which buffers are kept and rounds in which they come
 * back unread, in turn. Arguments: file or "-" (nothing is recorded), "default", "deep" or
 * "launch-stacks", pairs of rounds.
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
      options.stacks(0, 500_000, arguments[1].equals("launch-stacks"));
      recording = Recorder.start(options.build(), line -> System.out.println("eddyline: " + line));
    }
    Gpu gpu = new Gpu();
    CUstream_st stream = gpu.stream();
    int pairs = Integer.parseInt(arguments[2]);
    LongPointer addresses = new LongPointer(2);
    FloatPointer scale = new FloatPointer(1f);
    PointerPointer<Pointer> parameters = new PointerPointer<>(3);
    parameters.put(0, addresses);
    parameters.put(1, new LongPointer(addresses).position(1));
    parameters.put(2, scale);
    double[] kept = new double[pairs];
    double[] unread = new double[pairs];
    double[] difference = new double[pairs];
    round(gpu, stream, parameters);
    for (int i = 0; i < pairs; i++) {
      boolean keptFirst = i % 2 == 0;
      double first = round(gpu, stream, parameters, recording, keptFirst);
      double second = round(gpu, stream, parameters, recording, !keptFirst);
      kept[i] = keptFirst ? first : second;
      unread[i] = keptFirst ? second : first;
      difference[i] = kept[i] - unread[i];
    }
    System.out.println(
        "COST "
            + arguments[1]
            + " kept "
            + words(kept)
            + " unread "
            + words(unread)
            + " difference "
            + words(difference));
    if (recording != null) {
      recording.detach();
      while (recording.isActive()) {
        Thread.sleep(5);
      }
      round(gpu, stream, parameters);
      double[] after = new double[5];
      for (int i = 0; i < after.length; i++) {
        after[i] = round(gpu, stream, parameters);
      }
      System.out.println("COST after detach " + words(after));
    }
    // JavaCPP gives memory back with its object.
    Reference.reachabilityFence(addresses);
    Reference.reachabilityFence(scale);
  }

  private static double round(
      Gpu gpu,
      CUstream_st stream,
      PointerPointer<Pointer> parameters,
      Recording recording,
      boolean kept) {
    if (recording != null) {
      Shim.flush(0);
      Shim.setDrop(kept ? Shim.KEEP : Shim.DISCARD);
    }
    return round(gpu, stream, parameters);
  }

  private static double round(Gpu gpu, CUstream_st stream, PointerPointer<Pointer> parameters) {
    long from = System.nanoTime();
    for (int i = 0; i < LAUNCHES; i++) {
      gpu.touch(stream, parameters);
    }
    long to = System.nanoTime();
    Gpu.check(cudart.cudaStreamSynchronize(stream));
    return (to - from) / 1e3 / LAUNCHES;
  }

  /** Median, mean and its 95 % interval, least and most. */
  private static String words(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double mean = Arrays.stream(values).average().orElse(0);
    double variance =
        Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / (values.length - 1);
    return String.format(
        Locale.ROOT,
        "median %.3f mean %.3f +- %.3f (%.3f to %.3f)",
        sorted[sorted.length / 2],
        mean,
        2.04 * Math.sqrt(variance / values.length),
        sorted[0],
        sorted[sorted.length - 1]);
  }
}
