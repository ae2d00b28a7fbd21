/** Rows and dictionaries of the trace that is written: threads, streams, names, clocks. */
@NullMarked
package dev.eddyline.recorder.rows;

import org.jspecify.annotations.NullMarked;
