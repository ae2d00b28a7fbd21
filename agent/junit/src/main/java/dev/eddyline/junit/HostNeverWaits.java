package dev.eddyline.junit;

import dev.eddyline.analysis.blame.HostBlock;
import dev.eddyline.analysis.blame.HostBlock.Kind;
import dev.eddyline.analysis.blame.HostBlockFinder;
import dev.eddyline.analysis.finding.LatentSync;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Looks whether a host sync waited for a collective, through any path, or could have. */
final class HostNeverWaits implements Check {
  private static final String RULE = "no host sync may wait for a collective";
  private static final int MOST_MORE = 5;

  @Override
  public Verdict judge(TraceView view) {
    List<HostCall> calls = HostCall.of(view);
    List<HostCall> waited = new ArrayList<>();
    List<HostCall> latent = new ArrayList<>();
    for (HostCall call : calls) {
      if (!call.collectives(view).isEmpty()) {
        waited.add(call);
      } else if (call.latent() != null) {
        latent.add(call);
      }
    }
    if (!waited.isEmpty() || !latent.isEmpty()) {
      return broken(view, calls.size(), waited, latent);
    }
    return open(view, calls);
  }

  // ---- broken ----

  private static Verdict broken(
      TraceView view, int all, List<HostCall> waited, List<HostCall> latent) {
    List<String> body = new ArrayList<>();
    List<HostCall> more = new ArrayList<>(waited);
    more.addAll(latent);
    HostCall first = more.remove(0);
    body.addAll(waited.isEmpty() ? latentLines(view, first) : first.lines(view));
    body.addAll(roles(view, first));
    for (HostCall call : more.subList(0, Math.min(MOST_MORE, more.size()))) {
      String how = call.collectives(view).isEmpty() ? couldHave(call) : held(view, call);
      body.add("also " + call.words(view) + " at " + view.placeOfCall(call.block().call()) + how);
    }
    if (more.size() > MOST_MORE) {
      body.add(".. and " + (more.size() - MOST_MORE) + " more");
    }
    return new Verdict.Broken(
        RULE, count(all, waited, latent), body, fix(first), pair(view, first));
  }

  private static String count(int all, List<HostCall> waited, List<HostCall> latent) {
    if (waited.isEmpty()) {
      return "but " + latent.size() + " of " + all + " could have";
    }
    String could = latent.isEmpty() ? "" : ", and " + latent.size() + " more could have";
    return "but " + waited.size() + " of " + all + " did" + could;
  }

  private static List<String> latentLines(TraceView view, HostCall call) {
    return List.of(
        call.words(view) + "      at " + view.placeOfCall(call.block().call()),
        "held the host "
            + Words.ms(call.block().isBlocked() ? call.block().durationNs() : 0)
            + couldHave(call));
  }

  private static String couldHave(HostCall call) {
    LatentSync latent = call.latent();
    return latent == null
        ? ""
        : "; it stands behind "
            + Words.list(latent.couldWaitFor())
            + ", and did not wait for it this time ("
            + latent.confidence().word()
            + ")";
  }

  private static String held(TraceView view, HostCall call) {
    List<Integer> rows = call.collectives(view);
    return ", "
        + Words.ms(call.block().durationNs())
        + ", for "
        + view.opWords(rows.get(rows.size() - 1));
  }

  /** One stream with two roles is how a sync of one comes to wait for the work of the other. */
  private static List<String> roles(TraceView view, HostCall call) {
    int stream = call.block().stream();
    Set<String> roles = stream < 0 ? Set.of() : view.roles(stream);
    return roles.size() < 2
        ? List.of()
        : List.of(
            "Why "
                + view.label(stream)
                + ": one stream played the roles "
                + Words.list(List.copyOf(roles))
                + ".");
  }

  private static String fix(HostCall call) {
    return call.remedy().isEmpty() || call.latent() != null
        ? "put the wait for the collective on the stream that needs its result, and sync the host"
            + " on an event recorded before that wait, or on another stream."
        : Words.lower(call.remedy());
  }

  private static String pair(TraceView view, HostCall call) {
    List<Integer> rows = call.collectives(view);
    LatentSync latent = call.latent();
    String other = "";
    if (!rows.isEmpty()) {
      other = view.opOnStream(rows.get(rows.size() - 1));
    } else if (latent != null) {
      other = Words.list(latent.couldWaitFor());
    }
    return call.words(view) + ", and " + other;
  }

  // ---- open ----

  private static Verdict open(TraceView view, List<HostCall> calls) {
    if (StreamAssertions.anyCollective().select(view).isEmpty()) {
      return new Verdict.Open(
          "does a host sync wait for a collective?",
          List.of("No collective ran in this trace, so none could be waited for."));
    }
    for (HostCall call : calls) {
      List<String> reasons = reasons(view, call.block());
      if (!reasons.isEmpty()) {
        List<String> lines = new ArrayList<>();
        lines.add(call.words(view) + " at " + view.placeOfCall(call.block().call()) + ":");
        lines.addAll(reasons);
        return new Verdict.Open("does a host sync wait for a collective?", lines);
      }
    }
    return new Verdict.Holds();
  }

  private static List<String> reasons(TraceView view, HostBlock block) {
    boolean sync = block.kind() == Kind.STREAM_SYNC || block.kind() == Kind.EVENT_SYNC;
    var syncs = view.timeline().syncs();
    if (sync && !HostBlockFinder.hasTarget(view.graph(), syncs, block.call())) {
      return List.of("The trace does not say which work it waited for.", OpenWaits.RECORD);
    }
    if (block.stream() < 0) {
      return List.of();
    }
    long before = view.timeline().calls().at(block.call()).start();
    boolean anyBefore =
        StreamAssertions.anyCollective().select(view).stream()
            .anyMatch(row -> view.launchedAt(row) < before);
    if (!anyBefore) {
      return List.of();
    }
    Dependencies walk = Dependencies.of(view, block.stream(), before);
    return OpenWaits.reasons(view, walk, block.stream());
  }
}
