/** The commands that start, ask and end the agent in another process. */
@NullMarked
package dev.eddyline.control;

import org.jspecify.annotations.NullMarked;
