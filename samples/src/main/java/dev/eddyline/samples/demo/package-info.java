/** {@code eddyline demo}: trains a small model twice, with a mistake and without, and explains. */
@NullMarked
package dev.eddyline.samples.demo;

import org.jspecify.annotations.NullMarked;
