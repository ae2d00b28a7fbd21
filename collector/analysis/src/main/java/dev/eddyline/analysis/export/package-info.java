/** Writes timelines and graphs for other tools. */
@NullMarked
package dev.eddyline.analysis.export;

import org.jspecify.annotations.NullMarked;
