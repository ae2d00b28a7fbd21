/** The timeline: what a trace holds, in primitive columns, joined, with cursors to read it. */
@NullMarked
package dev.eddyline.analysis.timeline;

import org.jspecify.annotations.NullMarked;
