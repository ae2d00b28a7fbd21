/** Benchmarks of the readers and the analysis, and makers of the large traces that they need. */
@NullMarked
package dev.eddyline.benchmark;

import org.jspecify.annotations.NullMarked;
