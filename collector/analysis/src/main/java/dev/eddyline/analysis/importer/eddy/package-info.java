/**
 * Reads the trace file {@code .eddy}, format version 1. Whatever the bytes of a file are, reading
 * it ends in a timeline or in a {@link dev.eddyline.analysis.importer.TraceReadException}.
 */
@NullMarked
package dev.eddyline.analysis.importer.eddy;

import org.jspecify.annotations.NullMarked;
