package dev.eddyline.viewer.app;

import dev.eddyline.analysis.finding.Coverage;
import dev.eddyline.analysis.report.Millis;
import dev.eddyline.viewer.chart.ChartInput;
import dev.eddyline.viewer.model.Selection;
import dev.eddyline.viewer.model.Span;
import dev.eddyline.viewer.model.TraceModel;
import dev.eddyline.viewer.view.Action;
import dev.eddyline.viewer.view.Comparison;
import dev.eddyline.viewer.view.Dependencies;
import dev.eddyline.viewer.view.Details;
import dev.eddyline.viewer.view.Events;
import dev.eddyline.viewer.view.Sums;
import dev.eddyline.viewer.view.TraceView;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javafx.application.Platform;
import javafx.scene.Node;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.SplitPane;
import javafx.scene.control.Tab;
import javafx.scene.control.TabPane;
import javafx.scene.control.TableView;
import javafx.scene.text.Text;
import javafx.scene.text.TextFlow;
import org.jspecify.annotations.Nullable;

/**
 * The tabs below the timeline. Only the one that is open is filled; lists and sums are worked out
 * on another thread, and what comes too late is dropped.
 */
final class Panels {
  private final TabPane tabs = new TabPane();
  private final Map<Action, Tab> byAction = new EnumMap<>(Action.class);
  private final TextFlow details = new TextFlow();
  private final TableView<Events.Event> events;
  private final TableView<Dependencies.Pair> dependencies;
  private final TableView<Sums.Line> sums;
  private final TableView<ChartInput.Mark> marks;
  private final TableView<Coverage.Answer> coverage;
  private final TableView<Comparison.FindingLine> findings;
  private final TableView<Comparison.Line> times;
  private final Executor background;
  private final Consumer<String> summary;
  private final AtomicLong generation = new AtomicLong();
  private @Nullable TraceView view;
  private @Nullable TraceModel other;
  private @Nullable Object filled;

  Panels(
      Executor background,
      Consumer<Selection> jump,
      Consumer<Long> goTo,
      Consumer<String> summary) {
    this.background = background;
    this.summary = summary;
    details.setId("details");
    details.setLineSpacing(2);
    ScrollPane scroll = new ScrollPane(details);
    scroll.setFitToWidth(true);
    events = Tables.table("events", "nothing in view", event -> jump.accept(event.selection()));
    Tables.numbers(events, "start ms", 90, Events.Event::startNs, this::sinceZero);
    Tables.numbers(events, "ms", 80, Events.Event::durationNs, Millis::of);
    Tables.words(events, "row", 160, Events.Event::row);
    Tables.words(events, "name", 500, Events.Event::name);
    dependencies = dependencies(jump);
    sums = Tables.table("sums", "select a span of time: drag with the left button, or R", s -> {});
    Tables.words(sums, "row", 160, Sums.Line::row);
    Tables.words(sums, "name", 300, Sums.Line::name);
    Tables.numbers(sums, "count", 70, Sums.Line::count, String::valueOf);
    Tables.numbers(sums, "total ms", 90, Sums.Line::totalNs, Millis::of);
    Tables.numbers(sums, "mean", 80, Sums.Line::meanNs, Millis::of);
    Tables.numbers(sums, "p50", 80, Sums.Line::p50Ns, Millis::of);
    Tables.numbers(sums, "p95", 80, Sums.Line::p95Ns, Millis::of);
    Tables.numbers(sums, "max", 80, Sums.Line::maxNs, Millis::of);
    Tables.words(sums, "share", 70, s -> String.format(Locale.ROOT, "%.1f %%", s.share() * 100));
    marks = Tables.table("marks", "M sets a mark", mark -> goTo.accept(mark.timeNs()));
    Tables.numbers(marks, "at ms", 100, ChartInput.Mark::timeNs, this::sinceZero);
    Tables.words(marks, "note", 500, ChartInput.Mark::name);
    coverage = Tables.table("coverage", "no trace", answer -> {});
    Tables.words(coverage, "question", 220, Coverage.Answer::question);
    Tables.words(coverage, "answer", 120, Coverage.Answer::value);
    Tables.words(coverage, "why", 600, Coverage.Answer::detail);
    findings = Tables.table("compare-findings", "open a second trace: Ctrl+Shift+O", line -> {});
    Tables.words(findings, "finding", 60, Comparison.FindingLine::change);
    Tables.words(findings, "rule", 150, Comparison.FindingLine::rule);
    Tables.words(findings, "in words", 300, Comparison.FindingLine::title);
    Tables.numbers(findings, "here", 60, Comparison.FindingLine::before, String::valueOf);
    Tables.numbers(findings, "there", 60, Comparison.FindingLine::after, String::valueOf);
    times = Tables.table("compare-times", "", line -> {});
    Tables.words(times, "step on the host, stream", 200, Comparison.Line::what);
    Tables.numbers(times, "here ms", 90, Comparison.Line::beforeNs, Panels::orNone);
    Tables.numbers(times, "there ms", 90, Comparison.Line::afterNs, Panels::orNone);
    add(Action.DETAILS_TAB, scroll);
    add(Action.EVENTS_TAB, events);
    add(Action.DEPENDENCIES_TAB, dependencies);
    add(Action.SUMS_TAB, sums);
    add(Action.MARKS_TAB, marks);
    add(Action.COVERAGE_TAB, coverage);
    add(Action.COMPARE_TAB, new SplitPane(findings, times));
    tabs.setId("panels");
    tabs.setTabClosingPolicy(TabPane.TabClosingPolicy.UNAVAILABLE);
    tabs.getSelectionModel().selectedItemProperty().addListener(o -> refresh());
  }

  private static TableView<Dependencies.Pair> dependencies(Consumer<Selection> jump) {
    TableView<Dependencies.Pair> table =
        Tables.table("dependencies", "no stream waits for another", p -> jump.accept(p.example()));
    Tables.words(table, "waits", 220, Dependencies.Pair::waiter);
    Tables.words(table, "waits for", 220, Dependencies.Pair::source);
    Tables.numbers(table, "times", 70, Dependencies.Pair::count, String::valueOf);
    Tables.numbers(table, "recorded", 80, Dependencies.Pair::recorded, String::valueOf);
    Tables.numbers(table, "inferred", 80, Dependencies.Pair::inferred, String::valueOf);
    Tables.numbers(table, "held it for ms", 120, Dependencies.Pair::heldNs, Millis::of);
    return table;
  }

  private void add(Action action, Node content) {
    Tab tab = new Tab(action.title(), content);
    byAction.put(action, tab);
    tabs.getTabs().add(tab);
  }

  private static String orNone(long ns) {
    return ns < 0 ? "-" : Millis.of(ns);
  }

  private String sinceZero(long timeNs) {
    TraceView now = view;
    return now == null ? "" : Millis.of(timeNs - now.model().zeroNs());
  }

  Node node() {
    return tabs;
  }

  /** Opens the tab of an action; false if it has none. */
  boolean open(Action action) {
    Tab tab = byAction.get(action);
    if (tab == null) {
      return false;
    }
    tabs.getSelectionModel().select(tab);
    return true;
  }

  /** Whether the tab of an action is open. */
  boolean isOpen(Action action) {
    Tab tab = byAction.get(action);
    return tab != null && tabs.getSelectionModel().getSelectedItem() == tab;
  }

  void show(TraceView next) {
    view = next;
    filled = null;
    Tables.fill(coverage, next.model().report().coverage().answers());
    refresh();
  }

  /** Compares the open trace with another one. */
  void compare(TraceModel with) {
    other = with;
    open(Action.COMPARE_TAB);
    TraceView now = view;
    if (now == null) {
      return;
    }
    Tables.fill(findings, Comparison.findings(now.model(), with));
    background.execute(
        () -> {
          List<Comparison.Line> lines = new ArrayList<>(Comparison.steps(now.model(), with));
          lines.addAll(Comparison.streams(now.model(), with));
          Platform.runLater(
              () -> {
                if (now == view && with == other) {
                  Tables.fill(times, lines);
                }
              });
        });
  }

  @Nullable TraceModel other() {
    return other;
  }

  /** Fills the open tab, if what it shows has changed. */
  void refresh() {
    TraceView now = view;
    if (now == null) {
      return;
    }
    if (isOpen(Action.DETAILS_TAB)) {
      fill(List.of(Action.DETAILS_TAB, now.selection()), () -> details(now));
    } else if (isOpen(Action.EVENTS_TAB)) {
      Span span = new Span(now.viewport().startNs(), now.viewport().endNs());
      var rows = now.rows();
      later(List.of(span, rows), () -> Events.in(now.model(), rows, span), events);
    } else if (isOpen(Action.DEPENDENCIES_TAB)) {
      later(now.model(), () -> Dependencies.of(now.model()), dependencies);
    } else if (isOpen(Action.SUMS_TAB)) {
      Span range = now.range();
      if (range == null) {
        fill(Action.SUMS_TAB, () -> Tables.fill(sums, List.of()));
      } else {
        later(List.of(Action.SUMS_TAB, range), () -> Sums.of(now.model(), range), sums);
      }
    } else if (isOpen(Action.MARKS_TAB)) {
      fill(List.copyOf(now.marks()), () -> Tables.fill(marks, now.marks()));
    }
  }

  private void fill(Object key, Runnable how) {
    if (!key.equals(filled)) {
      filled = key;
      how.run();
    }
  }

  private <T> void later(Object key, Supplier<List<T>> work, TableView<T> table) {
    fill(
        key,
        () -> {
          long mine = generation.incrementAndGet();
          background.execute(
              () -> {
                if (generation.get() == mine) {
                  List<T> lines = work.get();
                  Platform.runLater(
                      () -> {
                        if (generation.get() == mine) {
                          Tables.fill(table, lines);
                        }
                      });
                }
              });
        });
  }

  private void details(TraceView now) {
    details.getChildren().clear();
    List<String> lines = Details.of(now.model(), now.selection(), now.chain());
    summary.accept(lines.get(0));
    for (String line : lines) {
      Text text = new Text(line + "\n");
      text.getStyleClass().add("text");
      if (line.endsWith(":")) {
        text.setStyle("-fx-font-weight: bold;");
      }
      details.getChildren().add(text);
    }
  }

  /** The details as text, for the clipboard and for tests. */
  String detailsText() {
    StringBuilder text = new StringBuilder();
    details.getChildren().forEach(node -> text.append(((Text) node).getText()));
    return text.toString();
  }
}
