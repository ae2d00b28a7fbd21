package dev.eddyline.viewer;

import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.cli.Command;
import dev.eddyline.cli.Console;
import dev.eddyline.cli.ExitCode;
import dev.eddyline.cli.OutputTarget;
import dev.eddyline.cli.TraceArguments;
import dev.eddyline.cli.UsageException;
import dev.eddyline.viewer.app.ViewerApp;
import dev.eddyline.viewer.chart.ChartInput;
import dev.eddyline.viewer.chart.ChartOptions;
import dev.eddyline.viewer.model.Chain;
import dev.eddyline.viewer.model.Chains;
import dev.eddyline.viewer.model.FirstGlance;
import dev.eddyline.viewer.model.RowState;
import dev.eddyline.viewer.model.Rows;
import dev.eddyline.viewer.model.Selection;
import dev.eddyline.viewer.model.Selections;
import dev.eddyline.viewer.model.TraceModel;
import dev.eddyline.viewer.model.Viewport;
import dev.eddyline.viewer.paint.Theme;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Draws a trace with its edges. */
@picocli.CommandLine.Command(
    name = "view",
    description = "Draw a trace with its edges.",
    footer = {
      "",
      "Times count from the first step, as in reports: --at 12.3ms, --range 400us.",
      "WHAT is finding:N, finding:N.M (its M-th occurrence), call:ID or op:ID (correlation ids)."
    })
public final class ViewCommand implements Command {
  private static final Pattern SIZE = Pattern.compile("(\\d{2,5})x(\\d{2,5})");
  private static final Pattern TIME =
      Pattern.compile("(-?\\d{1,12}(?:\\.\\d{1,9})?)(ns|us|µs|ms|s)?");
  private static final int MOST_PIXELS = 16384;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description =
          "Traces: files, folders or patterns; one file per rank. None: a page with samples.")
  private List<String> files = new ArrayList<>();

  @Option(names = "--at", paramLabel = "TIME", description = "Show this time, in the middle.")
  private @Nullable String at;

  @Option(names = "--range", paramLabel = "TIME", description = "Show so much time.")
  private @Nullable String range;

  @Option(names = "--select", paramLabel = "WHAT", description = "Select this, and show it.")
  private @Nullable String select;

  @Option(
      names = "--export",
      paramLabel = "OUT",
      description = "Write a picture instead of opening a window: OUT ends in .png or .svg.")
  private @Nullable Path export;

  @Option(
      names = "--size",
      paramLabel = "WxH",
      description = "Size of the picture: 1600x900 by default.")
  private String size = "1600x900";

  @Option(
      names = "--scale",
      paramLabel = "N",
      description = "Pixels of a PNG per pixel of the size: 1 by default.")
  private double scale = 1;

  @Option(names = "--light", description = "Dark letters on light.")
  private boolean light;

  @Option(names = "--force", description = "Replace OUT if it is there.")
  private boolean force;

  @Override
  public int run(Console console) throws IOException {
    int[] pixels = size();
    Long middle = at == null ? null : time("--at", at);
    Long length = range == null ? null : time("--range", range);
    if (length != null && length < Viewport.LEAST_NS) {
      throw new UsageException("--range " + range + " is too short: at least 20ns");
    }
    Path target = export;
    if (target == null) {
      return openWindow(middle, length);
    }
    if (!Picture.isKnown(target.toString())) {
      throw new UsageException("--export " + target + ": the name must end in .png or .svg");
    }
    if (files.isEmpty()) {
      throw new UsageException("--export needs a trace to draw");
    }
    OutputTarget.check(target, force);
    TraceArguments traces =
        CommandLine.populateCommand(new TraceArguments(), files.toArray(String[]::new));
    Timeline timeline = traces.open(console);
    TraceModel model = TraceModel.of(files.get(0), timeline);
    ChartInput input = input(model, middle, length, pixels);
    OutputTarget.write(target, force, out -> Picture.write(input, target.toString(), out));
    return ExitCode.OK;
  }

  private int openWindow(@Nullable Long middle, @Nullable Long length) {
    try {
      ViewerApp.open(
          new ViewerApp.Start(
              files,
              view -> {
                if (select != null) {
                  view.jump(selection(view.model(), middle));
                }
                if (middle != null || length != null) {
                  view.show(viewport(view.model(), view.viewport(), middle, length));
                }
              }));
    } catch (NoClassDefFoundError | UnsatisfiedLinkError | UnsupportedOperationException e) {
      throw new UsageException(
          "no window can be opened here (" + e.getMessage() + "); --export view.png needs none");
    }
    return ExitCode.OK;
  }

  private ChartInput input(
      TraceModel model, @Nullable Long middle, @Nullable Long length, int[] pixels) {
    Selection selection = selection(model, middle);
    Chain chain = new Chains(model).of(selection);
    Viewport view = FirstGlance.viewport(model, chain);
    view = viewport(model, view, middle, length);
    ChartOptions options = ChartOptions.still(light ? Theme.LIGHT : Theme.DARK, scale);
    RowState state = new RowState();
    Rows rows = Rows.of(model.tracks(), state);
    double room = pixels[1] - ChartInput.ROWS_TOP - ChartInput.LEGEND;
    state.pinned().addAll(FirstGlance.pins(model, chain, rows, room));
    rows = Rows.of(model.tracks(), state);
    return new ChartInput(
        model, view, rows, 0, chain, List.of(), null, null, pixels[0], pixels[1], options);
  }

  private static Viewport viewport(
      TraceModel model, Viewport view, @Nullable Long middle, @Nullable Long length) {
    long shown = length == null ? view.lengthNs() : length;
    long centre = middle == null ? view.startNs() + view.lengthNs() / 2 : model.zeroNs() + middle;
    return Viewport.of(model.whole(), centre - shown / 2, centre - shown / 2 + shown);
  }

  private Selection selection(TraceModel model, @Nullable Long middle) {
    if (select == null) {
      return middle == null ? FirstGlance.selection(model) : Selection.NONE;
    }
    try {
      return Selections.parse(select, model);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--select: " + e.getMessage());
    }
  }

  private int[] size() {
    Matcher matcher = SIZE.matcher(size);
    if (!matcher.matches()) {
      throw new UsageException("--size cannot be '" + size + "': it is as in 1600x900");
    }
    int width = Integer.parseInt(matcher.group(1));
    int height = Integer.parseInt(matcher.group(2));
    boolean scales = scale >= 0.5 && scale <= 8;
    if (!scales || width * scale > MOST_PIXELS || height * scale > MOST_PIXELS) {
      throw new UsageException(
          "--size "
              + size
              + " with --scale "
              + scale
              + ": at most "
              + MOST_PIXELS
              + " pixels a side, and a scale of 0.5 to 8");
    }
    return new int[] {width, height};
  }

  /** A time in nanoseconds; without a unit it is milliseconds. */
  static long time(String option, String text) {
    Matcher matcher = TIME.matcher(text);
    if (!matcher.matches()) {
      throw new UsageException(option + " cannot be '" + text + "': it is as in 12.3ms or 400us");
    }
    String unit = matcher.group(2) == null ? "ms" : matcher.group(2);
    double ns =
        switch (unit) {
          case "ns" -> 1;
          case "us", "µs" -> 1e3;
          case "s" -> 1e9;
          default -> 1e6;
        };
    return Math.round(Double.parseDouble(matcher.group(1)) * ns);
  }
}
