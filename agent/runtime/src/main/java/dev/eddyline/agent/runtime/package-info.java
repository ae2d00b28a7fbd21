/** What runs in the host's JVM beside the recorder: start, control by socket, marks, shutdown. */
@NullMarked
package dev.eddyline.agent.runtime;

import org.jspecify.annotations.NullMarked;
