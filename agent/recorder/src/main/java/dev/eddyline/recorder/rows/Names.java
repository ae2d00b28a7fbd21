package dev.eddyline.recorder.rows;

import dev.eddyline.recorder.shim.Shim;
import dev.eddyline.trace.EddyWriter;
import java.util.Arrays;
import java.util.regex.Pattern;

/** Ids of strings for the names of API functions and kernels. For the thread that drains. */
public final class Names {
  private static final Pattern VERSION = Pattern.compile("_v\\d{4,}");
  private static final int CALLS = 2048;
  private static final int UNKNOWN = -1;
  private final EddyWriter writer;
  private final NameSource source;
  private final int[][] calls = new int[3][CALLS];
  private final LongIntMap kernels = new LongIntMap();
  private final LongIntMap copies = new LongIntMap();

  public Names(EddyWriter writer, NameSource source) {
    this.writer = writer;
    this.source = source;
    for (int[] domain : calls) {
      Arrays.fill(domain, UNKNOWN);
    }
  }

  /** Name of an API function, without the version of the runtime's. */
  public int call(int domain, int id) {
    if (id < 0 || id >= CALLS) {
      return writer.string("call " + id);
    }
    int name = calls[domain][id];
    if (name == UNKNOWN) {
      name = writer.string(callName(domain, id));
      calls[domain][id] = name;
    }
    return name;
  }

  /** Name of an API function, without the version of the runtime's. */
  String callName(int domain, int id) {
    String name = source.call(domain, id);
    String plain = VERSION.matcher(name).replaceAll("");
    return plain.isEmpty() ? (domain == Shim.DOMAIN_DRIVER ? "cu" : "cuda") + "Call" + id : plain;
  }

  /** Name of a kernel, by the shim's id. */
  public int kernel(int shimId) {
    int name = kernels.get(shimId);
    if (name == LongIntMap.ABSENT) {
      String text = text(shimId);
      name = writer.string(text.isEmpty() ? "(name lost)" : text);
      kernels.put(shimId, name);
    }
    return name;
  }

  /** The text of a shim's id. */
  public String text(int shimId) {
    return source.text(shimId);
  }

  /** Name of a copy, in the words that other tools use: "Memcpy HtoD (Pageable -> Device)". */
  public int copy(int kind, int from, int to) {
    long key = (long) kind << 16 | (long) from << 8 | to;
    int name = copies.get(key);
    if (name == LongIntMap.ABSENT) {
      name =
          writer.string(
              "Memcpy " + direction(kind) + " (" + memory(from) + " -> " + memory(to) + ")");
      copies.put(key, name);
    }
    return name;
  }

  /** Name of a fill. */
  public int fill(int memory) {
    return writer.string("Memset (" + memory(memory) + ")");
  }

  /** What took time of its own, by CUPTI's number. */
  public int overhead(int kind) {
    return writer.string(
        switch (kind) {
          case 1 -> "driver compiler";
          case 1 << 16 -> "activity buffer flush";
          case 2 << 16 -> "instrumentation";
          case 3 << 16 -> "resource";
          case 4 << 16 -> "module loading";
          case 5 << 16 -> "lazy function loading";
          case 6 << 16 -> "command buffer full";
          case 7 << 16 -> "activity buffer request";
          case 8 << 16 -> "unified memory";
          default -> "overhead " + (kind >> 16);
        });
  }

  private static String direction(int kind) {
    return switch (kind) {
      case 1 -> "HtoD";
      case 2 -> "DtoH";
      case 3 -> "HtoA";
      case 4 -> "AtoH";
      case 5 -> "AtoA";
      case 6 -> "AtoD";
      case 7 -> "DtoA";
      case 8 -> "DtoD";
      case 9 -> "HtoH";
      case 10 -> "PtoP";
      default -> "Unknown";
    };
  }

  private static String memory(int kind) {
    return switch (kind) {
      case 1 -> "Pageable";
      case 2 -> "Pinned";
      case 3, 6 -> "Device";
      case 4 -> "Array";
      case 5, 7 -> "Managed";
      default -> "Unknown";
    };
  }
}
