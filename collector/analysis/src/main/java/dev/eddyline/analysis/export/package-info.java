/** Writes timelines in the formats of others and as {@code .eddy}. */
@NullMarked
package dev.eddyline.analysis.export;

import org.jspecify.annotations.NullMarked;
