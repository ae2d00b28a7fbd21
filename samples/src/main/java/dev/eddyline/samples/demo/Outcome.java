package dev.eddyline.samples.demo;

/** What a rank came to: its parameters by layer, and the loss of each step on its own rows. */
final class Outcome {
  private final float[][] parameters;
  private final float[] losses;

  Outcome(float[][] parameters, float[] losses) {
    this.parameters = parameters;
    this.losses = losses;
  }

  float[][] parameters() {
    return parameters;
  }

  /** The largest difference of a parameter or loss from another outcome's. */
  double differenceFrom(Outcome other) {
    double worst = difference(losses, other.losses);
    for (int layer = 0; layer < parameters.length; layer++) {
      worst = Math.max(worst, difference(parameters[layer], other.parameters[layer]));
    }
    return worst;
  }

  private static double difference(float[] some, float[] others) {
    double worst = 0;
    for (int i = 0; i < some.length; i++) {
      double difference = Math.abs(some[i] - others[i]);
      worst = Double.isNaN(difference) ? Double.POSITIVE_INFINITY : Math.max(worst, difference);
    }
    return worst;
  }
}
