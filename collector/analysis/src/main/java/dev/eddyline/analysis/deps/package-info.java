/** Which stream waits for which: finds it, compares two traces, writes it in several formats. */
@NullMarked
package dev.eddyline.analysis.deps;

import org.jspecify.annotations.NullMarked;
