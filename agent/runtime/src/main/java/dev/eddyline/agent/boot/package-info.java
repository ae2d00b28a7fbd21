/** Makes a module of the jars inside the agent's jar, in a loader of its own. */
@NullMarked
package dev.eddyline.agent.boot;

import org.jspecify.annotations.NullMarked;
