package dev.eddyline.analysis.deps;

import dev.eddyline.analysis.deps.WaitFact.State;
import dev.eddyline.analysis.report.TextReport;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which stream waits for which, as a drawing: Graphviz, and Mermaid in Markdown. An arrow goes from
 * what is waited for to who waits, as time does, and says "waited for by"; dashed is likely.
 */
public final class DepsGraph {
  private record Arrow(String from, String to, int waits, boolean sure, String word) {}

  private DepsGraph() {}

  /** Writes one digraph with a cluster per trace; leaves the writer open. */
  public static void writeDot(List<StreamDependencies> traces, Writer target) throws IOException {
    StringBuilder text = new StringBuilder("digraph streams {\n  rankdir=LR;\n");
    text.append("  node [shape=box];\n");
    text.append("  label=\"an arrow leads from a stream to one that waits for it\";\n");
    for (int i = 0; i < traces.size(); i++) {
      StreamDependencies deps = traces.get(i);
      String name = traces.size() == 1 ? "" : i == 0 ? "before" : "after";
      text.append("  subgraph cluster_").append(i).append(" {\n");
      text.append("    label=").append(quoted(name)).append(";\n");
      Map<String, String> ids = ids(deps, "t" + i + "n");
      ids.forEach(
          (label, id) ->
              text.append("    ")
                  .append(id)
                  .append(" [label=")
                  .append(quoted(label))
                  .append("];\n"));
      for (Arrow arrow : arrows(deps)) {
        text.append("    ")
            .append(ids.get(arrow.from()))
            .append(" -> ")
            .append(ids.get(arrow.to()));
        text.append(" [label=").append(quoted(arrow.word()));
        text.append(arrow.sure() ? "" : ", style=dashed").append("];\n");
      }
      text.append("  }\n");
    }
    target.write(text.append("}\n").toString());
  }

  /** Writes Markdown with a Mermaid drawing and the table; leaves the writer open. */
  public static void writeMarkdown(List<StreamDependencies> traces, Writer target)
      throws IOException {
    StringBuilder text = new StringBuilder("### Which stream waits for which\n");
    for (int i = 0; i < traces.size(); i++) {
      StreamDependencies deps = traces.get(i);
      if (traces.size() == 2) {
        text.append(i == 0 ? "\n#### Before\n" : "\n#### After\n");
      }
      text.append("\n```mermaid\nflowchart LR\n");
      Map<String, String> ids = ids(deps, "n");
      ids.forEach(
          (label, id) ->
              text.append("  ").append(id).append("[\"").append(mermaid(label)).append("\"]\n"));
      for (Arrow arrow : arrows(deps)) {
        text.append("  ").append(ids.get(arrow.from()));
        text.append(arrow.sure() ? " -->|\"" : " -.->|\"");
        text.append(mermaid(arrow.word())).append("\"| ").append(ids.get(arrow.to())).append('\n');
      }
      text.append(
          "```\n\nAn arrow leads from a stream to one that waits for it; dashed: likely.\n");
      table(deps, text);
      for (String sentence : Sentences.of(deps)) {
        text.append("- ").append(cell(sentence)).append('\n');
      }
    }
    if (traces.size() == 2) {
      changes(new Comparison(traces.get(0), traces.get(1)), text);
    }
    target.write(text.toString());
  }

  private static void table(StreamDependencies deps, StringBuilder text) {
    text.append("\n| waits | stream that waits | waits for | how known |\n|---:|---|---|---|\n");
    for (Dependency row : deps.rows()) {
      text.append("| ").append(row.waits().size());
      text.append(" | ").append(cell(row.waiter().title()));
      text.append(" | ").append(cell(row.target().title()));
      text.append(" | ").append(cell(HowKnown.of(row))).append(" |\n");
    }
    text.append("| ").append(deps.waits()).append(" | | | |\n\n");
  }

  private static void changes(Comparison comparison, StringBuilder text) {
    text.append("\n#### What changed\n\n| stream that waits | waits for | before | after | |\n");
    text.append("|---|---|---|---|---|\n");
    for (Comparison.Row row : comparison.rows()) {
      text.append("| ").append(cell(row.waiterTitle()));
      text.append(" | ").append(cell(row.targetTitle()));
      text.append(" | ").append(row.beforeWords());
      text.append(" | ").append(row.afterWords());
      text.append(" | ").append(row.change()).append(" |\n");
    }
  }

  /** Every stream that ran something, and whoever else has an arrow. */
  private static Map<String, String> ids(StreamDependencies deps, String prefix) {
    TreeSet<String> labels = new TreeSet<>(DependencyFinder::byNumber);
    deps.notes().forEach(note -> labels.add(note.party().label()));
    for (Arrow arrow : arrows(deps)) {
      labels.add(arrow.from());
      labels.add(arrow.to());
    }
    Map<String, String> ids = new LinkedHashMap<>();
    labels.forEach(label -> ids.put(label, prefix + ids.size()));
    return ids;
  }

  private static List<Arrow> arrows(StreamDependencies deps) {
    Map<String, Arrow> sums = new TreeMap<>();
    for (Dependency row : deps.rows()) {
      if (row.ncclInternal() || row.state() == State.EMPTY || row.state() == State.CAPTURED) {
        continue;
      }
      boolean sure = row.state() == State.RECORDED;
      String key = row.target().label() + '\u0000' + row.waiter().label();
      Arrow known = sums.get(key);
      int waits = row.waits().size() + (known == null ? 0 : known.waits());
      boolean all = sure && (known == null || known.sure());
      String word = Comparison.often(waits, deps);
      sums.put(key, new Arrow(row.target().label(), row.waiter().label(), waits, all, word));
    }
    List<Arrow> arrows = new ArrayList<>(sums.values());
    for (IndirectDependency indirect : deps.indirect()) {
      String through = indirect.cause().word() + " " + indirect.through();
      arrows.add(
          new Arrow(
              indirect.earlier().label(),
              indirect.later().label(),
              indirect.times(),
              true,
              through));
    }
    for (StreamNote note : deps.notes()) {
      if (note.hostBlocks() > 0) {
        String word = "held the host " + Sentences.times(note.hostBlocks());
        arrows.add(new Arrow(note.party().label(), "the host", note.hostBlocks(), true, word));
      }
    }
    return arrows;
  }

  private static String quoted(String text) {
    String plain = TextReport.printable(text).replace("\\", "\\\\").replace("\"", "\\\"");
    return '"' + plain + '"';
  }

  private static String mermaid(String text) {
    return TextReport.printable(text)
        .replace("&", "#amp;")
        .replace("\"", "#quot;")
        .replace("<", "#lt;")
        .replace(">", "#gt;");
  }

  private static String cell(String text) {
    return TextReport.printable(text)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace("|", "\\|");
  }
}
