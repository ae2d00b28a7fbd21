package dev.eddyline.group;

import dev.eddyline.device.Grid;
import dev.eddyline.device.Kernel;
import java.nio.FloatBuffer;

/** The few kernels that the pieces of training loops need; all for single precision. */
final class TrainingKernels {
  private TrainingKernels() {}

  private static String elementwise(String name, String parameters, String body) {
    return "extern \"C\" __global__ void "
        + name
        + "("
        + parameters
        + ", long long n) {\n"
        + "  long long i = blockIdx.x * (long long) blockDim.x + threadIdx.x;\n"
        + "  if (i < n) {\n    "
        + body
        + "\n  }\n}\n";
  }

  /** (global, local, difference, n): difference = global − local. */
  static final Kernel DIFFERENCE =
      Kernel.named("pseudo_gradient")
          .source(
              elementwise(
                  "pseudo_gradient",
                  "const float* global, const float* local, float* difference",
                  "difference[i] = global[i] - local[i];"))
          .body(
              arguments -> {
                FloatBuffer global = arguments.floats(0);
                FloatBuffer local = arguments.floats(1);
                FloatBuffer difference = arguments.floats(2);
                for (int i = 0; i < difference.limit(); i++) {
                  difference.put(i, global.get(i) - local.get(i));
                }
              })
          .reads(0, 1)
          .writes(2)
          .build();

  /**
   * (global, momentum, sum, scale, rate, decay, n): a step of Nesterov's descent with the averaged
   * difference as the gradient.
   */
  static final Kernel OUTER_STEP =
      Kernel.named("outer_step")
          .source(
              elementwise(
                  "outer_step",
                  "float* global, float* momentum, const float* sum, float scale, float rate,"
                      + " float decay",
                  """
                  float g = sum[i] * scale;
                      float m = decay * momentum[i] + g;
                      momentum[i] = m;
                      global[i] -= rate * (g + decay * m);\
                  """))
          .body(
              arguments -> {
                FloatBuffer global = arguments.floats(0);
                FloatBuffer momentum = arguments.floats(1);
                FloatBuffer sum = arguments.floats(2);
                float scale = arguments.number(3).floatValue();
                float rate = arguments.number(4).floatValue();
                float decay = arguments.number(5).floatValue();
                for (int i = 0; i < global.limit(); i++) {
                  float gradient = sum.get(i) * scale;
                  float moved = decay * momentum.get(i) + gradient;
                  momentum.put(i, moved);
                  global.put(i, global.get(i) - rate * (gradient + decay * moved));
                }
              })
          .reads(0, 1, 2)
          .writes(0, 1)
          .build();

  /** (local, global, keep, n): local = keep · local + (1 − keep) · global. */
  static final Kernel MERGE =
      Kernel.named("merge")
          .source(
              elementwise(
                  "merge",
                  "float* local, const float* global, float keep",
                  "local[i] = keep * local[i] + (1.0f - keep) * global[i];"))
          .body(
              arguments -> {
                FloatBuffer local = arguments.floats(0);
                FloatBuffer global = arguments.floats(1);
                float keep = arguments.number(2).floatValue();
                for (int i = 0; i < local.limit(); i++) {
                  local.put(i, keep * local.get(i) + (1 - keep) * global.get(i));
                }
              })
          .reads(0, 1)
          .writes(0)
          .build();

  /** All of them. */
  static final Kernel[] ALL = {DIFFERENCE, OUTER_STEP, MERGE};

  static Grid grid(long elements) {
    return Grid.covering(elements);
  }
}
