package dev.eddyline.samples;

import dev.eddyline.device.Kernel;
import dev.eddyline.device.KernelArguments;
import java.nio.FloatBuffer;

/** What the samples compute, in CUDA C and in Java. All kernels end with the parameter n. */
final class Kernels {
  private Kernels() {}

  /** A kernel that first is busy for {@code nanos}, as a model's layers would be. */
  private static String source(String name, String parameters, String busy, String body) {
    return """
    extern "C" __global__ void %s(%s, long long n) {
      long long i = blockIdx.x * (long long) blockDim.x + threadIdx.x;
      unsigned long long begin, now;
      asm volatile("mov.u64 %%0, %%globaltimer;" : "=l"(begin));
      do {
        asm volatile("mov.u64 %%0, %%globaltimer;" : "=l"(now));
      } while (now - begin < (unsigned long long) (%s));
      if (i < n) {
        %s
      }
    }
    """
        .formatted(name, parameters, busy, body);
  }

  private static long nanos(KernelArguments arguments, int index) {
    return Math.max(1_000, arguments.number(index).longValue());
  }

  /** (gradient, value, nanos, n): the gradient of a model is one number everywhere. */
  static final Kernel BACKWARD =
      Kernel.named("backward")
          .source(
              source(
                  "backward",
                  "float* gradient, float value, long long nanos",
                  "nanos",
                  "gradient[i] = value;"))
          .body(
              arguments -> {
                FloatBuffer gradient = arguments.floats(0);
                float value = arguments.number(1).floatValue();
                for (int i = 0; i < gradient.limit(); i++) {
                  gradient.put(i, value);
                }
              })
          .cost(arguments -> nanos(arguments, 2))
          .writes(0)
          .build();

  /** (parameters, gradient, rate, n): a step of plain descent. */
  static final Kernel DESCEND =
      Kernel.named("descend")
          .source(
              source(
                  "descend",
                  "float* parameters, const float* gradient, float rate",
                  "0",
                  "parameters[i] -= rate * gradient[i];"))
          .body(
              arguments -> {
                FloatBuffer parameters = arguments.floats(0);
                FloatBuffer gradient = arguments.floats(1);
                float rate = arguments.number(2).floatValue();
                for (int i = 0; i < parameters.limit(); i++) {
                  parameters.put(i, parameters.get(i) - rate * gradient.get(i));
                }
              })
          .takes(5_000)
          .reads(0, 1)
          .writes(0)
          .build();

  /** (values, by, n): what follows a sum that shall be a mean. */
  static final Kernel DIVIDE =
      Kernel.named("divide")
          .source(source("divide", "float* values, float by", "0", "values[i] /= by;"))
          .body(
              arguments -> {
                FloatBuffer values = arguments.floats(0);
                float by = arguments.number(1).floatValue();
                for (int i = 0; i < values.limit(); i++) {
                  values.put(i, values.get(i) / by);
                }
              })
          .takes(5_000)
          .reads(0)
          .writes(0)
          .build();

  /** (parameters, by, nanos, n): trains: moves all parameters. */
  static final Kernel TRAIN =
      Kernel.named("train")
          .source(
              source(
                  "train",
                  "float* parameters, float by, long long nanos",
                  "nanos",
                  "parameters[i] += by;"))
          .body(
              arguments -> {
                FloatBuffer parameters = arguments.floats(0);
                float by = arguments.number(1).floatValue();
                for (int i = 0; i < parameters.limit(); i++) {
                  parameters.put(i, parameters.get(i) + by);
                }
              })
          .cost(arguments -> nanos(arguments, 2))
          .reads(0)
          .writes(0)
          .build();

  /** (weights, sum, nanos, n): a layer: adds its weights to a sum. */
  static final Kernel LAYER =
      Kernel.named("layer")
          .source(
              source(
                  "layer",
                  "const float* weights, float* sum, long long nanos",
                  "nanos",
                  "sum[i] += weights[i];"))
          .body(
              arguments -> {
                FloatBuffer weights = arguments.floats(0);
                FloatBuffer sum = arguments.floats(1);
                for (int i = 0; i < sum.limit(); i++) {
                  sum.put(i, sum.get(i) + weights.get(i));
                }
              })
          .cost(arguments -> nanos(arguments, 2))
          .reads(0, 1)
          .writes(1)
          .build();

  /** (parameters, gradient, first, second, step, n): a step of Adam on a shard. */
  static final Kernel ADAM =
      Kernel.named("adam")
          .source(
              source(
                  "adam",
                  "float* parameters, const float* gradient, float* first, float* second, int step",
                  "0",
                  """
                  first[i] = 0.9f * first[i] + 0.1f * gradient[i];
                      second[i] = 0.999f * second[i] + 0.001f * gradient[i] * gradient[i];
                      float m = first[i] / (1 - powf(0.9f, step));
                      float v = second[i] / (1 - powf(0.999f, step));
                      parameters[i] -= 0.1f * m / (sqrtf(v) + 1e-8f);\
                  """))
          .body(
              arguments -> {
                FloatBuffer parameters = arguments.floats(0);
                FloatBuffer gradient = arguments.floats(1);
                FloatBuffer first = arguments.floats(2);
                FloatBuffer second = arguments.floats(3);
                int step = arguments.number(4).intValue();
                float[] state = new float[3];
                for (int i = 0; i < parameters.limit(); i++) {
                  state[0] = parameters.get(i);
                  state[1] = first.get(i);
                  state[2] = second.get(i);
                  adam(state, gradient.get(i), step);
                  parameters.put(i, state[0]);
                  first.put(i, state[1]);
                  second.put(i, state[2]);
                }
              })
          .takes(8_000)
          .reads(0, 1, 2, 3)
          .writes(0, 2, 3)
          .build();

  /** All of them. */
  static final Kernel[] ALL = {BACKWARD, DESCEND, DIVIDE, TRAIN, LAYER, ADAM};

  /**
   * Adam on one parameter.
   *
   * @param state parameter, first and second moment; changed
   */
  static void adam(float[] state, float gradient, int step) {
    state[1] = 0.9f * state[1] + 0.1f * gradient;
    state[2] = 0.999f * state[2] + 0.001f * gradient * gradient;
    float m = state[1] / (float) (1 - Math.pow(0.9, step));
    float v = state[2] / (float) (1 - Math.pow(0.999, step));
    state[0] -= 0.1f * m / ((float) Math.sqrt(v) + 1e-8f);
  }
}
