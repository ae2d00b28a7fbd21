/** The command {@code eddyline view}: a window on a trace, or a picture of it without one. */
@NullMarked
package dev.eddyline.viewer;

import org.jspecify.annotations.NullMarked;
