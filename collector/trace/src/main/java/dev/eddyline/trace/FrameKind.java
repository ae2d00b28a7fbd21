package dev.eddyline.trace;

import org.jspecify.annotations.Nullable;

/** What a frame of a trace file holds; the codes are part of the file format. */
public enum FrameKind {
  /** What the file is and how it was recorded: one map, the first frame of a file. */
  HEADER(1),
  /** Definitions of strings, processes, threads, devices, streams and sources. */
  DICTIONARY(2),
  /** Records, in blocks of one type each. */
  DATA(3),
  /** What holds at a moment: losses so far, clocks, how far the file is complete. */
  MARKS(4),
  /** The file was closed in order: one map, the last frame. */
  END(5);

  private final int code;

  FrameKind(int code) {
    this.code = code;
  }

  /** The number that stands for this kind in a file. */
  public int code() {
    return code;
  }

  /** The kind of a code, or null where there is none. */
  public static @Nullable FrameKind ofCode(int code) {
    for (FrameKind kind : values()) {
      if (kind.code == code) {
        return kind;
      }
    }
    return null;
  }
}
