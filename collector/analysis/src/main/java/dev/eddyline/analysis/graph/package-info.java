/** The stream graph: who is ordered after whom, through which edge, and how that is known. */
@NullMarked
package dev.eddyline.analysis.graph;

import org.jspecify.annotations.NullMarked;
