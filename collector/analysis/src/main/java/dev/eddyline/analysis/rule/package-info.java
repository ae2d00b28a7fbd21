/** The rules, and the analysis that runs them. */
@NullMarked
package dev.eddyline.analysis.rule;

import org.jspecify.annotations.NullMarked;
