package dev.eddyline.analysis.graph;

/**
 * How a wait was joined to what it waits for. The ids are part of exports; the confidence is a
 * judgement of how often such a join is right, not a measured frequency.
 */
public enum BindRule {
  /** Not joined. */
  NONE("", 0),
  /** Both ends carry the same synchronization id. */
  SYNC_ID("", 1),
  /** The wait names the record's correlation id. */
  RECORD_CORRELATION("", 1),
  /** Latest earlier record of the same event id in the process. */
  EVENT_ID("event-id", 0.9),
  /** The wait names the stream that it waits for, but no record. */
  NAMED_STREAM("named-stream", 0.9),
  /** Record and wait right before or right after the launch of a NCCL kernel: NCCL's own. */
  NCCL_LAUNCH("nccl-launch", 0.9),
  /** First record and wait in a collective's call: the NCCL stream waits for the current one. */
  C10D_ENQUEUE("c10d-enqueue", 0.9),
  /** A wait inside Work.wait, with one collective of that group still unawaited. */
  C10D_WORK("c10d-work", 0.9),
  /** A wait inside Work.wait, with several unawaited: only the stream is known. */
  C10D_WORK_STREAM("c10d-work-stream", 0.8),
  /** The first thing after a collective's call is a wait: a continuation of its future. */
  C10D_FUTURE("c10d-future", 0.7),
  /** A wait right after a record by the same thread, on an event used once: wait_stream. */
  RECORD_THEN_WAIT("record-then-wait", 0.7);

  private final String id;
  private final double confidence;

  BindRule(String id, double confidence) {
    this.id = id;
    this.confidence = confidence;
  }

  /** The rule's name in exports, "" for recorded joins. */
  public String id() {
    return id;
  }

  /** 0.0 to 1.0. */
  public double confidence() {
    return confidence;
  }

  /** Whether the source itself names both ends. */
  public boolean isRecorded() {
    return this == SYNC_ID || this == RECORD_CORRELATION;
  }
}
