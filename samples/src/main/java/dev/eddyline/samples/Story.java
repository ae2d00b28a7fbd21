package dev.eddyline.samples;

import dev.eddyline.device.Platform;
import java.util.Arrays;
import java.util.List;

/** A program that every rank runs, in a right form and in broken ones. Without state. */
public interface Story {
  /** What it is called on the command line. */
  String name();

  /** What it shows, in one line. */
  String about();

  /** Its forms; the first is a right one. */
  List<String> variants();

  /** How many steps it makes if nobody says. */
  int steps();

  /**
   * Runs it on one rank.
   *
   * @return how its numbers compare with those of a plain computation
   */
  Numbers run(Platform platform, String variant, int steps) throws Exception;

  /**
   * How far a program's numbers are from what they should be.
   *
   * @param worst largest difference of a number from what it should be
   * @param allowed what rounding explains
   */
  record Numbers(double worst, double allowed) {
    /** Compares numbers. */
    static Numbers compare(float[] actual, float[] expected, double allowed) {
      double worst = 0;
      for (int i = 0; i < expected.length; i++) {
        double difference = Math.abs(actual[i] - expected[i]);
        worst = Double.isNaN(difference) ? Double.POSITIVE_INFINITY : Math.max(worst, difference);
      }
      return new Numbers(worst, allowed);
    }

    /** Compares numbers that must all be the same one. */
    static Numbers compare(float[] actual, float expected, double allowed) {
      float[] all = new float[actual.length];
      Arrays.fill(all, expected);
      return compare(actual, all, allowed);
    }

    /** Whether they are right. */
    public boolean areRight() {
      return worst <= allowed;
    }

    @Override
    public String toString() {
      return areRight() ? "numbers right" : "numbers WRONG, by up to " + worst;
    }
  }
}
