package dev.eddyline.analysis.access;

import dev.eddyline.analysis.finding.Confidence;
import org.jspecify.annotations.Nullable;

/**
 * Two uses of memory that nothing orders, or a use and a free.
 *
 * @param kind what is wrong
 * @param hazard which way the data go wrong
 * @param first the earlier use
 * @param second the later use; null where it is a free
 * @param free row of the free that it is about, -1 if none
 * @param cause row of the wait, or of the sync's call, that does not order them; -1 if none
 * @param confidence how sure
 * @param note that the effect depends on the version of CUDA
 */
public record Fault(
    Kind kind,
    Hazard hazard,
    Touch first,
    @Nullable Touch second,
    int free,
    int cause,
    Confidence confidence,
    boolean note) {

  /** What is wrong. */
  public enum Kind {
    /** Two ops use the same memory, and no edge orders them. */
    UNORDERED,
    /** There is an edge, but what it waits for was recorded before the first op. */
    TOO_EARLY,
    /** The same, of a collective: recorded between the library's call and the launch. */
    BEFORE_LAUNCH,
    /** The wait between them waits for nothing. */
    EMPTY_WAIT,
    /** The event that would order them was recorded again elsewhere. */
    OVERWRITTEN,
    /** The wait between them is for a stream that did not write. */
    WRONG_STREAM,
    /** The host waited for another stream between them. */
    WRONG_SYNC,
    /** An op and a host thread. */
    HOST_RACE,
    /** A use that is not ordered before the free, or comes after it. */
    USE_AFTER_FREE,
    /** The memory was handed out again while its old user may still use it. */
    REUSE
  }

  /** Which way data go wrong. */
  public enum Hazard {
    READ_AFTER_WRITE("read-after-write"),
    WRITE_AFTER_READ("write-after-read"),
    WRITE_AFTER_WRITE("write-after-write");

    private final String word;

    Hazard(String word) {
      this.word = word;
    }

    /** The word in reports. */
    public String word() {
      return word;
    }

    static Hazard of(Touch first, Touch second) {
      if (first.writes() && second.reads()) {
        return READ_AFTER_WRITE;
      }
      return first.writes() ? WRITE_AFTER_WRITE : WRITE_AFTER_READ;
    }
  }
}
