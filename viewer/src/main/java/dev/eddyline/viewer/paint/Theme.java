package dev.eddyline.viewer.paint;

/**
 * Colours by what they stand for. Categories come from Okabe and Ito's palette, which people tell
 * apart whatever colours they see; nothing is said by colour alone.
 *
 * @param dark whether the background is dark
 * @param background behind the rows
 * @param panel behind labels, ruler and strips
 * @param stripe behind every second row
 * @param grid thin lines
 * @param text text on background and panel
 * @param dim text of less weight
 * @param onSlice text on slices
 * @param compute kernels
 * @param communication collectives
 * @param both both at once, in the overlap strip
 * @param copy copies and fills
 * @param call host calls
 * @param blocked ink of the pattern over calls that held the host
 * @param range steps and annotations
 * @param expected what is normal, such as a sync at the end: pale
 * @param recorded arrows that the source names
 * @param inferred arrows that a rule found
 * @param missing orders that are not there, and errors
 * @param unknown stubs of waits of unknown source
 * @param selected frame of the selection
 * @param ready ink of the tail before ops
 */
public record Theme(
    boolean dark,
    int background,
    int panel,
    int stripe,
    int grid,
    int text,
    int dim,
    int onSlice,
    int compute,
    int communication,
    int both,
    int copy,
    int call,
    int blocked,
    int range,
    int expected,
    int recorded,
    int inferred,
    int missing,
    int unknown,
    int selected,
    int ready) {

  /** Light letters on dark. */
  public static final Theme DARK =
      new Theme(
          true,
          0xFF12161C,
          0xFF1B212A,
          0xFF161B22,
          0xFF2B3440,
          0xFFE6EBF2,
          0xFF9AA7B8,
          0xFF0A0D12,
          0xFF56B4E9,
          0xFFE69F00,
          0xFF2FC79B,
          0xFFCC9AC0,
          0xFF7D8DA3,
          0xFFF0E442,
          0xFF8A9FBF,
          0xFF39434F,
          0xFFFFFFFF,
          0xFFB9C6D6,
          0xFFFF6B5E,
          0xFF9AA7B8,
          0xFFFFFFFF,
          0xFF9AA7B8);

  /** Dark letters on light. */
  public static final Theme LIGHT =
      new Theme(
          false,
          0xFFFFFFFF,
          0xFFF2F4F7,
          0xFFF9FAFB,
          0xFFD5DBE3,
          0xFF17202B,
          0xFF55616F,
          0xFF0A0D12,
          0xFF56A5DC,
          0xFFE69F00,
          0xFF12A57F,
          0xFFC583B0,
          0xFF8391A5,
          0xFF6B0F0F,
          0xFF96AACB,
          0xFFD9DEE5,
          0xFF17202B,
          0xFF4D5966,
          0xFFC5221F,
          0xFF606C7A,
          0xFF17202B,
          0xFF606C7A);

  private static final int[] CATEGORIES = {
    0xFF56B4E9,
    0xFFE69F00,
    0xFF2FC79B,
    0xFFCC9AC0,
    0xFFF0E442,
    0xFF8C9BE8,
    0xFFE58F65,
    0xFFA9C46C,
    0xFF7FD1D6,
    0xFFD9B38C
  };

  /** Cividis, from short to long. */
  private static final int[] INTENSITY = {
    0xFF5A6A8C, 0xFF6F7787, 0xFF838585, 0xFF99947E, 0xFFB0A473, 0xFFC8B565, 0xFFE1C751, 0xFFFBDB3A
  };

  /** The colour of a category that stays the same in every trace, found from its name. */
  public static int category(String name) {
    int hash = name.hashCode() * 0x9E3779B1;
    return CATEGORIES[(hash >>> 16) % CATEGORIES.length];
  }

  /** The colour of a category by its number. */
  public static int category(int number) {
    return CATEGORIES[Math.floorMod(number, CATEGORIES.length)];
  }

  /** The colour of a duration: a step for every factor of about five, from 1 µs. */
  public static int duration(long ns) {
    double step = Math.log(Math.max(1, ns / 1000.0)) / Math.log(5);
    return INTENSITY[(int) Math.max(0, Math.min(INTENSITY.length - 1, step))];
  }

  /** A colour with another opacity, 0 to 255. */
  public static int alpha(int argb, int alpha) {
    return alpha << 24 | argb & 0xFF_FFFF;
  }

  /** A colour between two: {@code share} of the second. */
  public static int mix(int first, int second, double share) {
    int mixed = 0xFF;
    for (int shift = 16; shift >= 0; shift -= 8) {
      double value = (first >> shift & 0xFF) * (1 - share) + (second >> shift & 0xFF) * share;
      mixed = mixed << 8 | (int) Math.round(value);
    }
    return mixed;
  }

  /** How well two colours are told apart, 1 to 21, as WCAG counts it. */
  public static double contrast(int first, int second) {
    double a = luminance(first);
    double b = luminance(second);
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }

  private static double luminance(int argb) {
    return 0.2126 * linear(argb >> 16 & 0xFF)
        + 0.7152 * linear(argb >> 8 & 0xFF)
        + 0.0722 * linear(argb & 0xFF);
  }

  private static double linear(int channel) {
    double value = channel / 255.0;
    return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
  }
}
