/**
 * The referee: small stream programs that run on any device, and give the same answers on all of
 * them. For every piece of work that is held up it is seen what else is held up with it, and which
 * calls keep the host waiting. Answers of a real GPU are kept beside the programs.
 *
 * <p>{@link dev.eddyline.device.conformance.Conformance} is where it begins.
 */
@NullMarked
package dev.eddyline.device.conformance;

import org.jspecify.annotations.NullMarked;
