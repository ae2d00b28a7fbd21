/** Rows of the timeline as sorted intervals, and which of them each pixel column shows. */
@NullMarked
package dev.eddyline.viewer.track;

import org.jspecify.annotations.NullMarked;
