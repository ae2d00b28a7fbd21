/** The agent's options: the table of them, their values, and the names of the files it writes. */
@NullMarked
package dev.eddyline.options;

import org.jspecify.annotations.NullMarked;
