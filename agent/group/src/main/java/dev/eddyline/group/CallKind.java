package dev.eddyline.group;

/** The collectives: the word of traces, and words for people. */
enum CallKind {
  ALL_REDUCE("allreduce", "all-reduce"),
  ALL_GATHER("allgather", "all-gather"),
  REDUCE_SCATTER("reduce_scatter", "reduce-scatter"),
  BROADCAST("broadcast", "broadcast"),
  REDUCE("reduce", "reduce"),
  ALL_TO_ALL("alltoall", "all-to-all"),
  SEND("send", "send"),
  RECEIVE("recv", "receive"),
  BARRIER("barrier", "barrier");

  private final String word;
  private final String words;

  CallKind(String word, String words) {
    this.word = word;
    this.words = words;
  }

  String word() {
    return word;
  }

  String words() {
    return words;
  }

  boolean isPointToPoint() {
    return this == SEND || this == RECEIVE;
  }
}
