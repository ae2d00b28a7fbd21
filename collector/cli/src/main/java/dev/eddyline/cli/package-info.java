/** The command line; other modules add commands through {@link dev.eddyline.cli.Command}. */
@NullMarked
package dev.eddyline.cli;

import org.jspecify.annotations.NullMarked;
