/**
 * A small API over streams, events, buffers and kernels. Two devices stand behind it: the simulated
 * one of {@code dev.eddyline.device.sim}, and CUDA. A program gets a {@link
 * dev.eddyline.device.Platform} and knows nothing of which it is.
 *
 * <p>Times are {@code long} nanoseconds. Where nothing else is said a method may be called by any
 * host thread that the platform knows (those that it started itself), and errors are {@link
 * dev.eddyline.device.DeviceException}s. Hold no lock across a call of this API.
 */
@NullMarked
package dev.eddyline.device;

import org.jspecify.annotations.NullMarked;
