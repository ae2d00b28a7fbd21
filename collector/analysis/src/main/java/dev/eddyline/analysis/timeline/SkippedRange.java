package dev.eddyline.analysis.timeline;

/**
 * A part of an input that could not be read and was left out.
 *
 * @param source index of the file
 * @param fromByte offset of the first byte left out, of the expanded stream where it was compressed
 * @param toByte offset after the last byte left out, -1 for the end of the file
 * @param what what was expected there, in words
 */
public record SkippedRange(int source, long fromByte, long toByte, String what) {}
