package dev.eddyline.analysis.rule;

import dev.eddyline.analysis.access.Life;
import dev.eddyline.analysis.access.Touch;
import dev.eddyline.analysis.timeline.AllocationView;
import dev.eddyline.analysis.timeline.StreamInfo;
import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.RecordType.Op;
import java.util.Locale;
import java.util.regex.Pattern;

/** What to call memory, its users and their streams in a sentence. */
final class FaultWords {
  private static final Pattern NUMBER = Pattern.compile(" #\\d+");
  private static final long KIB = 1024;
  private final Facts facts;
  private final Timeline timeline;

  FaultWords(Facts facts) {
    this.facts = facts;
    this.timeline = facts.timeline();
  }

  /** "all-reduce #3 of world", "the kernel adam", "thread main". */
  String who(Touch touch) {
    if (touch.isByHost()) {
      return touch.thread < 0 ? "the host" : "the host (" + thread(touch.thread) + ")";
    }
    return OpWords.of(touch.op, facts);
  }

  /** The same without what differs from one time to the next. */
  String kind(Touch touch) {
    return NUMBER.matcher(who(touch)).replaceAll("");
  }

  private String thread(int thread) {
    return timeline.thread(thread).label();
  }

  /** "stream compute", "the legacy default stream 7", "the per-thread default stream of …". */
  String stream(int stream, int thread) {
    StreamInfo info = timeline.stream(stream);
    return switch (info.kind()) {
      case LEGACY_DEFAULT -> "the legacy default stream " + info.label();
      case PER_THREAD_DEFAULT ->
          "the per-thread default stream "
              + info.label()
              + (thread < 0 ? "" : " of " + thread(thread));
      default -> "stream " + info.label();
    };
  }

  String stream(Touch touch) {
    return stream(touch.stream, touch.thread);
  }

  /** "gradient (64 MiB)", "512 bytes of device memory at 0x7f00". */
  String memory(Touch touch) {
    Life life = touch.life;
    if (life != null) {
      AllocationView row = timeline.allocations().at(life.allocated);
      if (!row.name().isEmpty()) {
        return row.name() + " (" + size(touch.end - touch.begin) + ")";
      }
    }
    String kind =
        switch (touch.memory) {
          case Op.MEMORY_PAGEABLE -> " of pageable host memory";
          case Op.MEMORY_PINNED -> " of pinned host memory";
          case Op.MEMORY_MANAGED -> " of managed memory";
          default -> "";
        };
    return size(touch.end - touch.begin) + kind + " at 0x" + Long.toHexString(touch.begin);
  }

  /** The part that both use. */
  String shared(Touch first, Touch second) {
    long begin = Math.max(first.begin, second.begin);
    long end = Math.min(first.end, second.end);
    String whole = memory(first);
    long bytes = first.end - first.begin;
    return end - begin == bytes || end <= begin ? whole : size(end - begin) + " of " + whole;
  }

  static String size(long bytes) {
    if (bytes < KIB || bytes % KIB != 0 && bytes < KIB * KIB) {
      return bytes + (bytes == 1 ? " byte" : " bytes");
    }
    if (bytes < KIB * KIB) {
      return bytes / KIB + " KiB";
    }
    double mib = bytes / (double) (KIB * KIB);
    String text = String.format(Locale.ROOT, "%.1f", mib);
    return (text.endsWith(".0") ? text.substring(0, text.length() - 2) : text) + " MiB";
  }

  /** "reads", "overwrites", "uses". */
  static String does(Touch touch) {
    if (!touch.isKindKnown()) {
      return "uses";
    }
    if (touch.reads() && touch.writes()) {
      return "reads and overwrites";
    }
    return touch.writes() ? "overwrites" : "reads";
  }

  /** "writes", "reads", "uses". */
  static String did(Touch touch) {
    if (touch.writes()) {
      return "writes";
    }
    return touch.isKindKnown() ? "reads" : "uses";
  }
}
