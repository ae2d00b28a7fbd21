package dev.eddyline.analysis.importer.kineto;

import dev.eddyline.trace.RecordType;
import dev.eddyline.trace.RecordType.Op;

/**
 * The kinds of memory that a copy or fill touches, which Kineto has in its name alone: {@code
 * "Memcpy DtoH (Device -> Pageable)"}, {@code "Memset (Device)"}.
 */
final class MemoryNames {
  private static final int UNKNOWN = 15;
  private static final int SHIFT = 4;

  private MemoryNames() {}

  /** Both kinds of a name, to be taken apart by the other methods. */
  static int of(String name) {
    int from = name.lastIndexOf('(');
    int to = name.lastIndexOf(')');
    if (from < 0 || to < from) {
      return UNKNOWN << SHIFT | UNKNOWN;
    }
    String places = name.substring(from + 1, to);
    int arrow = places.indexOf("->");
    if (arrow < 0) {
      return UNKNOWN << SHIFT | kind(places);
    }
    return kind(places.substring(0, arrow)) << SHIFT | kind(places.substring(arrow + 2));
  }

  static long source(int places) {
    return known(places >> SHIFT);
  }

  static long destination(int places) {
    return known(places & UNKNOWN);
  }

  private static long known(int kind) {
    return kind == UNKNOWN ? RecordType.NONE : kind;
  }

  private static int kind(String word) {
    return switch (word.strip()) {
      case "Pageable" -> Op.MEMORY_PAGEABLE;
      case "Pinned" -> Op.MEMORY_PINNED;
      case "Device", "Device Static" -> Op.MEMORY_DEVICE;
      case "Array" -> Op.MEMORY_ARRAY;
      case "Managed", "Managed Static", "Unified" -> Op.MEMORY_MANAGED;
      default -> UNKNOWN;
    };
  }
}
