package dev.eddyline.device.sim;

import dev.eddyline.trace.RecordType;

/**
 * What a trace says of an op beside its times.
 *
 * @param bytes bytes that it moves, -1 for none
 * @param source where a copy reads, -1 for none
 * @param target where a copy writes, -1 for none
 * @param blocks blocks of the grid, -1 for none
 * @param threads threads of a block, -1 for none
 */
record OpFacts(long bytes, int source, int target, long blocks, int threads) {
  private static final int NOTHING = (int) RecordType.NONE;
  static final OpFacts NONE = new OpFacts(NOTHING, NOTHING, NOTHING, NOTHING, NOTHING);

  static OpFacts kernel(long blocks, int threads) {
    return new OpFacts(NOTHING, NOTHING, NOTHING, blocks, threads);
  }

  static OpFacts fill(long bytes, int target) {
    return new OpFacts(bytes, NOTHING, target, NOTHING, NOTHING);
  }

  static OpFacts copy(long bytes, int source, int target) {
    return new OpFacts(bytes, source, target, NOTHING, NOTHING);
  }
}
