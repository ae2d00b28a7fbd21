/** What the program says of itself through {@code dev.eddyline.marks}, made rows. */
@NullMarked
package dev.eddyline.recorder.marks;

import org.jspecify.annotations.NullMarked;
