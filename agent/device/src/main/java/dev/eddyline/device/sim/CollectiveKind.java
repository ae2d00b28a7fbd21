package dev.eddyline.device.sim;

/** The collectives, with the words of NCCL's kernels and of its callers. */
enum CollectiveKind {
  ALL_REDUCE("allreduce", "AllReduce", true),
  ALL_GATHER("allgather", "AllGather", false),
  REDUCE_SCATTER("reduce_scatter", "ReduceScatter", true),
  BROADCAST("broadcast", "Broadcast", false),
  REDUCE("reduce", "Reduce", true),
  ALL_TO_ALL("alltoall", "SendRecv", false),
  SEND("send", "SendRecv", false),
  RECEIVE("recv", "SendRecv", false);

  private final String word;
  private final String kernel;
  private final boolean reduces;

  CollectiveKind(String word, String kernel, boolean reduces) {
    this.word = word;
    this.kernel = kernel;
    this.reduces = reduces;
  }

  String word() {
    return word;
  }

  String kernel() {
    return kernel;
  }

  boolean reduces() {
    return reduces;
  }

  boolean isPointToPoint() {
    return this == SEND || this == RECEIVE;
  }
}
