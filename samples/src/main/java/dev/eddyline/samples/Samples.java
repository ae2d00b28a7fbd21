package dev.eddyline.samples;

import dev.eddyline.device.DeviceException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs a sample from the command line:
 *
 * <pre>
 *   STORY [VARIANT] [--device sim] [--ranks 2] [--steps N] [--seed 0] [--record out-%r.eddy]
 *   STORY [VARIANT] --device cuda [--ranks 2] [--steps N] [--agent JAR --out FOLDER]
 * </pre>
 *
 * With {@code --device cuda} this process starts one for each rank, unless its environment has
 * {@code RANK}: then it is one.
 */
public final class Samples {
  private static final int FAILED = 1;
  private static final int USAGE = 3;

  private Samples() {}

  /** All stories. */
  public static List<Story> stories() {
    return List.of(
        new WaitOrBlock(),
        new CoalescedGroup(),
        new DistributedAdam(),
        new CallbackFromPool(),
        new StreamingDiloco(),
        new RecoveryFetch(),
        new TpGather());
  }

  /** The story of a name. */
  public static Story story(String name) {
    return stories().stream()
        .filter(story -> story.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no sample '" + name + "'; there are: " + names()));
  }

  private static String names() {
    return stories().stream().map(Story::name).collect(Collectors.joining(", "));
  }

  /** The device of a name, of those on the class path. */
  public static SampleDevice device(String name) {
    List<String> known = new ArrayList<>();
    for (SampleDevice device : ServiceLoader.load(SampleDevice.class)) {
      if (device.name().equals(name)) {
        return device;
      }
      known.add(device.name());
    }
    throw new IllegalArgumentException(
        "there is no device '"
            + name
            + "' on the class path; there are: "
            + String.join(", ", known));
  }

  /**
   * Entry point; exits with 0, with 3 if the arguments are wrong, with 1 if the device or a rank
   * failed. Wrong numbers are no error.
   */
  public static void main(String[] arguments) throws IOException {
    int code = run(arguments, System.out, System.err);
    if (code != 0) {
      System.exit(code);
    }
  }

  static int run(String[] arguments, PrintStream out, PrintStream err) throws IOException {
    Arguments parsed;
    SampleDevice device;
    try {
      parsed = Arguments.of(arguments);
      device = device(parsed.device);
    } catch (IllegalArgumentException e) {
      err.println("samples: " + e.getMessage());
      err.println(
          "usage: STORY [VARIANT] [--device sim] [--ranks 2] [--steps N] [--seed 0]"
              + " [--record out-%r.eddy]\n"
              + "       STORY [VARIANT] --device cuda [--ranks 2] [--steps N] [--agent JAR --out"
              + " FOLDER]");
      for (Story story : stories()) {
        err.println(
            "  "
                + story.name()
                + " ("
                + String.join(", ", story.variants())
                + "): "
                + story.about());
      }
      return USAGE;
    }
    try {
      if (device.ranksAreProcesses() && !System.getenv().containsKey("RANK")) {
        return RankLauncher.run(parsed.job(parsed.ranks > device.devices()), out, err);
      }
      report(parsed, device, out);
      return 0;
    } catch (DeviceException e) {
      err.println("samples: " + e.getMessage());
      return FAILED;
    }
  }

  private static void report(Arguments parsed, SampleDevice device, PrintStream out)
      throws IOException {
    Story story = parsed.story;
    SampleDevice.Run run = new SampleDevice.Run(parsed.ranks, parsed.seed, parsed.record);
    List<Story.Numbers> numbers =
        device.run(run, platform -> story.run(platform, parsed.variant, parsed.steps));
    for (int i = 0; i < numbers.size(); i++) {
      int rank = device.firstRank() + i;
      out.println(
          story.name()
              + " "
              + parsed.variant
              + ", rank "
              + rank
              + ": "
              + numbers.get(i)
              + (parsed.record == null ? "" : ", trace in " + run.traceOf(parsed.record, rank)));
    }
  }

  /** The command line. */
  private static final class Arguments {
    private Story story = new WaitOrBlock();
    private String variant = "";
    private String device = "sim";
    private int ranks = 2;
    private int steps;
    private long seed;
    private @Nullable String record;
    private @Nullable Path agent;
    private @Nullable Path folder;

    static Arguments of(String[] arguments) {
      Arguments parsed = new Arguments();
      List<String> words = new ArrayList<>();
      for (int i = 0; i < arguments.length; i++) {
        if (!arguments[i].startsWith("--")) {
          words.add(arguments[i]);
        } else if (i + 1 == arguments.length) {
          throw new IllegalArgumentException(arguments[i] + " needs a value");
        } else {
          parsed.set(arguments[i], arguments[++i]);
        }
      }
      if (words.isEmpty() || words.size() > 2) {
        throw new IllegalArgumentException("name one sample and at most one of its variants");
      }
      parsed.story = story(words.get(0));
      List<String> variants = parsed.story.variants();
      parsed.variant = words.size() > 1 ? words.get(1) : variants.get(0);
      if (!variants.contains(parsed.variant)) {
        throw new IllegalArgumentException(
            "sample '"
                + parsed.story.name()
                + "' has no variant '"
                + parsed.variant
                + "'; it has: "
                + String.join(", ", variants));
      }
      parsed.steps = parsed.steps > 0 ? parsed.steps : parsed.story.steps();
      parsed.checkRecording();
      return parsed;
    }

    private void checkRecording() {
      boolean real = device.equals("cuda");
      if (real && record != null) {
        throw new IllegalArgumentException(
            "--record is for the simulated device; a real one is recorded by an agent: --agent JAR"
                + " --out FOLDER");
      }
      if (!real && (agent != null || folder != null)) {
        throw new IllegalArgumentException(
            "--agent and --out are for --device cuda; the simulated device records by itself:"
                + " --record out-%r.eddy");
      }
      if (agent == null != (folder == null)) {
        throw new IllegalArgumentException("--agent and --out go together");
      }
    }

    /** The processes of the ranks. */
    RankLauncher.Job job(boolean sharing) {
      List<String> words =
          List.of(
              story.name(),
              variant,
              "--device",
              device,
              "--ranks",
              Integer.toString(ranks),
              "--steps",
              Integer.toString(steps));
      Path out = folder == null ? Path.of("") : folder.toAbsolutePath();
      String traces = out.resolve(story.name() + "-" + variant + "-rank%r.eddy").toString();
      return new RankLauncher.Job(ranks, sharing, Samples.class.getName(), words, agent, traces);
    }

    private void set(String option, String value) {
      switch (option) {
        case "--device" -> device = value;
        case "--ranks" -> ranks = number(option, value);
        case "--steps" -> steps = number(option, value);
        case "--seed" -> seed = seed(value);
        case "--record" -> record = value;
        case "--agent" -> agent = Path.of(value).toAbsolutePath();
        case "--out" -> folder = Path.of(value);
        default -> throw new IllegalArgumentException("there is no option " + option);
      }
    }

    private static long seed(String value) {
      try {
        return Long.parseLong(value);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException("--seed needs a whole number, not '" + value + "'", e);
      }
    }

    private static int number(String option, String value) {
      try {
        int number = Integer.parseInt(value);
        if (number > 0) {
          return number;
        }
      } catch (NumberFormatException e) {
        // Said below, as for a number that is not positive.
      }
      throw new IllegalArgumentException(
          option + " needs a positive whole number, not '" + value + "'");
    }
  }
}
