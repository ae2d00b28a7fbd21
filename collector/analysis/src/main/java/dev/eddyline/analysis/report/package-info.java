/** Writes what an analysis says: text, JSON, Markdown; and what a trace holds. */
@NullMarked
package dev.eddyline.analysis.report;

import org.jspecify.annotations.NullMarked;
