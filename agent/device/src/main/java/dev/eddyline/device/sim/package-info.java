/**
 * The simulated device: CUDA's stream semantics in virtual time, deterministic by seed, on the JDK
 * alone.
 */
@NullMarked
package dev.eddyline.device.sim;

import org.jspecify.annotations.NullMarked;
