/** The window: the only package that knows JavaFX. */
@NullMarked
package dev.eddyline.viewer.app;

import org.jspecify.annotations.NullMarked;
