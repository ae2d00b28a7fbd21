/** The trace file {@code .eddy}: its record types and its writer, on the JDK alone. */
@NullMarked
package dev.eddyline.trace;

import org.jspecify.annotations.NullMarked;
