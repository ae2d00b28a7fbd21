package dev.eddyline.samples.demo;

import dev.eddyline.device.Kernel;
import dev.eddyline.device.KernelArguments;
import java.nio.FloatBuffer;

/** What the demo's training computes on the embedded device. */
final class DemoKernels {
  private DemoKernels() {}

  private static float[] values(KernelArguments arguments, int index) {
    FloatBuffer buffer = arguments.floats(index);
    float[] values = new float[buffer.remaining()];
    buffer.get(values);
    return values;
  }

  /** (batch, loss, parameters of each layer, gradients of each layer). */
  static final Kernel FORWARD_BACKWARD =
      Kernel.named("forward_backward")
          .body(
              arguments -> {
                float[][] parameters = new float[TinyModel.LAYERS][];
                float[][] gradients = new float[TinyModel.LAYERS][];
                for (int layer = 0; layer < TinyModel.LAYERS; layer++) {
                  parameters[layer] = values(arguments, 2 + layer);
                  gradients[layer] = new float[parameters[layer].length];
                }
                float loss = TinyModel.gradients(values(arguments, 0), parameters, gradients);
                arguments.floats(1).put(loss);
                for (int layer = 0; layer < TinyModel.LAYERS; layer++) {
                  arguments.floats(2 + TinyModel.LAYERS + layer).put(gradients[layer]);
                }
              })
          .takes(2_300_000)
          .reads(0, 2, 3, 4, 5)
          .writes(1, 6, 7, 8, 9)
          .build();

  /** (parameters, gradients). */
  static final Kernel DESCEND =
      Kernel.named("descend")
          .body(
              arguments -> {
                FloatBuffer parameters = arguments.floats(0);
                FloatBuffer gradients = arguments.floats(1);
                for (int i = 0; i < parameters.limit(); i++) {
                  parameters.put(i, Recipe.descend(parameters.get(i), gradients.get(i)));
                }
              })
          .takes(6_000)
          .reads(0, 1)
          .writes(0)
          .build();

  /** (global, local, difference). */
  static final Kernel DIFFERENCE =
      Kernel.named("pseudo_gradient")
          .body(
              arguments -> {
                FloatBuffer global = arguments.floats(0);
                FloatBuffer local = arguments.floats(1);
                FloatBuffer difference = arguments.floats(2);
                for (int i = 0; i < difference.limit(); i++) {
                  difference.put(i, global.get(i) - local.get(i));
                }
              })
          .takes(6_000)
          .reads(0, 1)
          .writes(2)
          .build();

  /** (global, sum of differences, one divided by the number of ranks). */
  static final Kernel OUTER_STEP =
      Kernel.named("outer_step")
          .body(
              arguments -> {
                FloatBuffer global = arguments.floats(0);
                FloatBuffer sum = arguments.floats(1);
                float scale = arguments.number(2).floatValue();
                for (int i = 0; i < global.limit(); i++) {
                  global.put(i, Recipe.outerStep(global.get(i), sum.get(i), scale));
                }
              })
          .takes(20_000)
          .reads(0, 1)
          .writes(0)
          .build();

  /** (local, global). */
  static final Kernel MERGE =
      Kernel.named("merge")
          .body(
              arguments -> {
                FloatBuffer local = arguments.floats(0);
                FloatBuffer global = arguments.floats(1);
                for (int i = 0; i < local.limit(); i++) {
                  local.put(i, Recipe.mix(local.get(i), global.get(i)));
                }
              })
          .takes(6_000)
          .reads(0, 1)
          .writes(0)
          .build();
}
