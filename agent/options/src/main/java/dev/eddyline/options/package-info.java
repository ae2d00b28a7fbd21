/**
 * What the agent and the commands that drive it agree on: the table of options and their values,
 * the names of the files it writes, the socket it listens on.
 */
@NullMarked
package dev.eddyline.options;

import org.jspecify.annotations.NullMarked;
