/** The picture of a trace: overview, ruler, rows, arrows, legend, drawn through a Painter. */
@NullMarked
package dev.eddyline.viewer.chart;

import org.jspecify.annotations.NullMarked;
