/** Draws a step of a recorded trace as text, for the documentation. */
@NullMarked
package dev.eddyline.samples.picture;

import org.jspecify.annotations.NullMarked;
