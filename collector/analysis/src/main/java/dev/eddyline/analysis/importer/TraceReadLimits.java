package dev.eddyline.analysis.importer;

import com.fasterxml.jackson.core.StreamReadConstraints;

/**
 * What a file may make its reader allocate; all readers take their limits from here.
 *
 * @param maxStringLength characters of one string value
 * @param maxNameLength characters of one field name
 * @param maxNumberLength digits of one number
 * @param maxDepth nesting of objects and arrays
 * @param maxStrings distinct strings of a trace
 * @param maxStreams streams of a trace
 * @param maxThreads threads of a trace
 * @param maxFrameBytes expanded size of one frame of an {@code .eddy}
 * @param maxRecoveries how often reading may resume behind a malformed place
 */
public record TraceReadLimits(
    int maxStringLength,
    int maxNameLength,
    int maxNumberLength,
    int maxDepth,
    int maxStrings,
    int maxStreams,
    int maxThreads,
    int maxFrameBytes,
    int maxRecoveries) {
  /** The limits that hold unless someone sets others. */
  public static TraceReadLimits defaults() {
    return new TraceReadLimits(4 << 20, 4096, 64, 64, 4_000_000, 100_000, 100_000, 64 << 20, 100);
  }

  /** These limits as Jackson's, for JSON and CBOR alike. */
  public StreamReadConstraints streamReadConstraints() {
    return StreamReadConstraints.builder()
        .maxStringLength(maxStringLength)
        .maxNameLength(maxNameLength)
        .maxNumberLength(maxNumberLength)
        .maxNestingDepth(maxDepth)
        .build();
  }
}
