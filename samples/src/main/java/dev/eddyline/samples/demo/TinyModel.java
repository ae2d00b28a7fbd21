package dev.eddyline.samples.demo;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A network of four layers that learns {@code sin(2a) + b·c}: what the demo trains, as plain
 * arithmetic. A row is the three inputs and the number to learn; the parameters of a layer are its
 * weights, one row for each output, then its biases.
 */
final class TinyModel {
  static final int LAYERS = 4;

  /** Rows of a batch. */
  static final int BATCH = 32;

  /** Numbers of a row. */
  static final int ROW = 4;

  private static final int INPUTS = ROW - 1;
  private static final int WIDTH = 12;
  private static final int HELD_OUT = 512;
  private static final long SEED = 1;
  private static final long OTHER_SEED = -1;

  private TinyModel() {}

  private static int inputs(int layer) {
    return layer == 0 ? INPUTS : WIDTH;
  }

  private static int outputs(int layer) {
    return layer == LAYERS - 1 ? 1 : WIDTH;
  }

  /** How many parameters a layer has. */
  static int parameters(int layer) {
    return outputs(layer) * (inputs(layer) + 1);
  }

  /** The parameters that all ranks begin with, by layer. */
  static float[][] initial() {
    SplittableRandom random = new SplittableRandom(SEED);
    float[][] parameters = new float[LAYERS][];
    for (int layer = 0; layer < LAYERS; layer++) {
      parameters[layer] = new float[parameters(layer)];
      double spread = Math.sqrt(3.0 / inputs(layer));
      int weights = outputs(layer) * inputs(layer);
      for (int i = 0; i < weights; i++) {
        parameters[layer][i] = (float) ((2 * random.nextDouble() - 1) * spread);
      }
    }
    return parameters;
  }

  /** The rows that a rank learns from in a step; each rank sees another part of the inputs. */
  static float[] batch(int rank, int step) {
    return rows(new SplittableRandom(SEED + 1_000_003L * rank + step), BATCH, 0.1f * (rank % 4));
  }

  private static float[] rows(SplittableRandom random, int count, float shift) {
    float[] rows = new float[count * ROW];
    for (int i = 0; i < rows.length; i += ROW) {
      for (int j = 0; j < INPUTS; j++) {
        rows[i + j] = (float) (2 * random.nextDouble() - 1) + shift;
      }
      rows[i + INPUTS] = (float) Math.sin(2 * rows[i]) + rows[i + 1] * rows[i + 2];
    }
    return rows;
  }

  /** Mean squared error on rows that nobody learns from. */
  static double loss(float[][] parameters) {
    float[] rows = rows(new SplittableRandom(OTHER_SEED), HELD_OUT, 0.15f);
    double sum = 0;
    float[][] values = values();
    for (int row = 0; row < rows.length; row += ROW) {
      double error = forward(rows, row, parameters, values) - rows[row + INPUTS];
      sum += error * error;
    }
    return sum / HELD_OUT;
  }

  private static float[][] values() {
    float[][] values = new float[LAYERS + 1][WIDTH];
    values[0] = new float[INPUTS];
    return values;
  }

  private static float forward(float[] rows, int row, float[][] parameters, float[][] values) {
    System.arraycopy(rows, row, values[0], 0, INPUTS);
    for (int layer = 0; layer < LAYERS; layer++) {
      float[] weights = parameters[layer];
      int in = inputs(layer);
      int out = outputs(layer);
      for (int o = 0; o < out; o++) {
        float sum = weights[out * in + o];
        for (int i = 0; i < in; i++) {
          sum += weights[o * in + i] * values[layer][i];
        }
        values[layer + 1][o] = layer == LAYERS - 1 ? sum : (float) Math.tanh(sum);
      }
    }
    return values[LAYERS][0];
  }

  /**
   * The gradients of the mean squared error of a batch.
   *
   * @param gradients by layer; what they hold is replaced
   * @return the error
   */
  static float gradients(float[] batch, float[][] parameters, float[][] gradients) {
    for (float[] each : gradients) {
      Arrays.fill(each, 0);
    }
    float[][] values = values();
    float[][] errors = values();
    float loss = 0;
    for (int row = 0; row < batch.length; row += ROW) {
      float error = forward(batch, row, parameters, values) - batch[row + INPUTS];
      loss += error * error / BATCH;
      errors[LAYERS][0] = 2 * error / BATCH;
      for (int layer = LAYERS - 1; layer >= 0; layer--) {
        backward(layer, parameters[layer], gradients[layer], values, errors);
      }
    }
    return loss;
  }

  private static void backward(
      int layer, float[] weights, float[] gradient, float[][] values, float[][] errors) {
    int in = inputs(layer);
    int out = outputs(layer);
    float[] below = errors[layer];
    Arrays.fill(below, 0);
    for (int o = 0; o < out; o++) {
      float error = errors[layer + 1][o];
      gradient[out * in + o] += error;
      for (int i = 0; i < in; i++) {
        gradient[o * in + i] += error * values[layer][i];
        below[i] += error * weights[o * in + i];
      }
    }
    if (layer > 0) {
      for (int i = 0; i < in; i++) {
        below[i] *= 1 - values[layer][i] * values[layer][i];
      }
    }
  }
}
