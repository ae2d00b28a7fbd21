package dev.eddyline.analysis.deps;

/**
 * Who waits, or what is waited for.
 *
 * @param kind what it is
 * @param label the short name, the same in another run of the program: "fragment-1", "7"
 * @param title how a table shows it: "25 fragment-1", "7 default"
 */
public record Party(Kind kind, String label, String title) {
  /** What a party is. */
  public enum Kind {
    /** A stream that ran something in the trace. */
    STREAM,
    /** Streams that the trace does not name, since they ran nothing in it. */
    UNSEEN,
    /** A stream that NCCL made for itself. */
    NCCL_OWN,
    /** Not known. */
    UNKNOWN,
    /** The event had never been recorded. */
    NOTHING,
    /** The wait was captured into a graph: it is no wait of the stream. */
    CAPTURE
  }

  static final Party UNSEEN = new Party(Kind.UNSEEN, "streams that ran nothing");
  static final Party NOT_NAMED = new Party(Kind.UNSEEN, "streams that the trace does not name");
  static final Party NCCL_OWN = new Party(Kind.NCCL_OWN, "NCCL's own");
  static final Party UNKNOWN = new Party(Kind.UNKNOWN, "?");
  static final Party NOTHING = new Party(Kind.NOTHING, "nothing");
  static final Party CAPTURE = new Party(Kind.CAPTURE, "what a graph captured");

  private Party(Kind kind, String label) {
    this(kind, label, label);
  }

  /** Whether it is one stream of the trace. */
  public boolean isStream() {
    return kind == Kind.STREAM;
  }
}
