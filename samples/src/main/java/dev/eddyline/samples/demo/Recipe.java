package dev.eddyline.samples.demo;

import java.util.ArrayList;
import java.util.List;

/**
 * How the demo trains: streaming DiLoCo. Every rank descends on its own rows; each layer is a
 * fragment, and in each step one of them is averaged over all ranks while training goes on, and
 * mixed in two steps later.
 */
final class Recipe {
  /** A fragment is taken over so many steps after it was prepared. */
  static final int DELAY = 2;

  static final float RATE = 0.08f;
  static final float OUTER_RATE = 0.8f;

  /** How much of a rank's own parameters stays when the averaged ones are mixed in. */
  static final float KEEP = 0.5f;

  private Recipe() {}

  /** Which fragment is prepared in a step. */
  static int prepared(int step) {
    return step % TinyModel.LAYERS;
  }

  /** One element of a step of descent. */
  static float descend(float parameter, float gradient) {
    return parameter - RATE * gradient;
  }

  /** One element of the outer step, of the sum over all ranks of global − local. */
  static float outerStep(float global, float sum, float scale) {
    return global - OUTER_RATE * (sum * scale);
  }

  /** One element of the mixture. */
  static float mix(float local, float global) {
    return KEEP * local + (1 - KEEP) * global;
  }

  /**
   * The same training as plain arithmetic, without streams: what must come out.
   *
   * @return what each rank comes to
   */
  static List<Outcome> compute(int ranks, int steps) {
    List<float[][]> local = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      local.add(TinyModel.initial());
    }
    float[][] losses = new float[ranks][steps];
    float[][] global = TinyModel.initial();
    float[][] gradients = TinyModel.initial();
    for (int step = 0; step < steps; step++) {
      for (int rank = 0; rank < ranks; rank++) {
        float[][] own = local.get(rank);
        if (step >= DELAY) {
          int due = prepared(step - DELAY);
          for (int i = 0; i < own[due].length; i++) {
            own[due][i] = mix(own[due][i], global[due][i]);
          }
        }
        losses[rank][step] = TinyModel.gradients(TinyModel.batch(rank, step), own, gradients);
        for (int layer = 0; layer < own.length; layer++) {
          for (int i = 0; i < own[layer].length; i++) {
            own[layer][i] = descend(own[layer][i], gradients[layer][i]);
          }
        }
      }
      average(global[prepared(step)], local, prepared(step));
    }
    List<Outcome> outcomes = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      outcomes.add(new Outcome(local.get(rank), losses[rank]));
    }
    return outcomes;
  }

  private static void average(float[] global, List<float[][]> local, int layer) {
    for (int i = 0; i < global.length; i++) {
      float sum = 0;
      for (float[][] own : local) {
        sum += global[i] - own[layer][i];
      }
      global[i] = outerStep(global[i], sum, 1f / local.size());
    }
  }
}
