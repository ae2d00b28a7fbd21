package dev.eddyline.group;

/**
 * How a fragment is synchronised.
 *
 * @param rate step size of the outer optimiser
 * @param momentum its momentum, 0 for none
 * @param keepLocal how much of the local parameters stays when the global ones come back: 0 takes
 *     the global ones, 0.5 the mean of both
 */
public record FragmentOptions(float rate, float momentum, float keepLocal) {
  public FragmentOptions {
    if (!(keepLocal >= 0 && keepLocal <= 1)) {
      throw new IllegalArgumentException(
          "keepLocal is " + keepLocal + ", but is a share: from 0 to 1");
    }
  }

  /** DiLoCo's outer optimiser: rate 0.7, momentum 0.9; the global parameters replace the local. */
  public static FragmentOptions defaults() {
    return new FragmentOptions(0.7f, 0.9f, 0);
  }

  /** These options with so much of the local parameters kept. */
  public FragmentOptions withKeepLocal(float share) {
    return new FragmentOptions(rate, momentum, share);
  }

  /** These options with another outer optimiser. */
  public FragmentOptions withOptimiser(float newRate, float newMomentum) {
    return new FragmentOptions(newRate, newMomentum, keepLocal);
  }
}
