/**
 * Draws the timeline through {@code Painter}: into pixels, an SVG file, or plain text for tests.
 */
@NullMarked
package dev.eddyline.viewer.paint;

import org.jspecify.annotations.NullMarked;
