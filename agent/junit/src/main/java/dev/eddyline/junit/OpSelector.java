package dev.eddyline.junit;

import dev.eddyline.analysis.graph.Collectives;
import dev.eddyline.analysis.timeline.OpView;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which ops an assertion is about: by the name of the kernel, operator or range, or by the kind of
 * collective; narrowed to a stream or a communicator. Immutable.
 */
public final class OpSelector {
  private final String name;
  private final boolean collective;
  private final String stream;
  private final String communicator;

  private OpSelector(String name, boolean collective, String stream, String communicator) {
    this.name = name;
    this.collective = collective;
    this.stream = stream;
    this.communicator = communicator;
  }

  static OpSelector named(String name) {
    return new OpSelector(name, false, "", "");
  }

  static OpSelector collectiveOf(String kind) {
    return new OpSelector(kind.isEmpty() ? "" : Collectives.kindWord(plain(kind)), true, "", "");
  }

  private static String plain(String kind) {
    return kind.replace("-", "").replace(" ", "");
  }

  /** Only those on a stream, by its name, id or role. */
  public OpSelector onStream(String nameOrId) {
    return new OpSelector(name, collective, nameOrId, communicator);
  }

  /** Only those of a communicator, by its name. */
  public OpSelector of(String communicatorName) {
    return new OpSelector(name, collective, stream, communicatorName);
  }

  /** Rows of the ops in the order of their launches. */
  List<Integer> select(TraceView view) {
    List<Integer> streams = stream.isEmpty() ? List.of() : view.streams(stream);
    List<Integer> found = new ArrayList<>();
    OpView op = view.timeline().ops();
    for (int row = 0; row < op.size(); row++) {
      boolean onStream = stream.isEmpty() || streams.contains(op.at(row).stream());
      if (onStream && matches(view, row)) {
        found.add(row);
      }
    }
    found.sort(java.util.Comparator.comparingLong(view::launchedAt));
    return found;
  }

  private boolean matches(TraceView view, int row) {
    Collectives collectives = view.graph().collectives();
    boolean isCollective = collectives.isCollective(view.timeline().ops().at(row));
    if (!communicator.isEmpty() && !collectives.communicator(row).equals(communicator)) {
      return false;
    }
    if (!collective) {
      return view.hasName(row, name);
    }
    return isCollective && (name.isEmpty() || kindOf(view, row).equals(name));
  }

  private static String kindOf(TraceView view, int row) {
    return view.graph().collectives().label(row).replaceFirst(" #\\d+$", "");
  }

  /** "aten::div_", "the all-reduce". */
  String words() {
    return collective ? "the " + shortName() : name;
  }

  /** "div_", "all-reduce". */
  String shortName() {
    if (collective) {
      return name.isEmpty() ? "collective" : name;
    }
    return name.substring(name.lastIndexOf("::") < 0 ? 0 : name.lastIndexOf("::") + 2);
  }

  boolean isCollective() {
    return collective;
  }

  /** What there is in place of what was not found. */
  String others(TraceView view) {
    Set<String> names = new LinkedHashSet<>();
    OpView op = view.timeline().ops();
    for (int row = 0; row < op.size() && names.size() < 8; row++) {
      boolean isCollective = view.graph().collectives().isCollective(op.at(row));
      if (isCollective == collective) {
        names.add(collective ? kindOf(view, row) : view.opWords(row));
      }
    }
    String what = collective ? "collective" : "op";
    return names.isEmpty()
        ? "No " + what + " ran in this trace."
        : (collective ? "Collectives" : "Ops") + " here: " + String.join(", ", names) + ".";
  }

  @Override
  public String toString() {
    return words()
        + (stream.isEmpty() ? "" : " on stream " + stream)
        + (communicator.isEmpty() ? "" : " of " + communicator);
  }
}
