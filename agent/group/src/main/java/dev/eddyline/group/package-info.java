/**
 * A process group over {@code dev.eddyline.device}: collectives whose {@link
 * dev.eddyline.group.Work} holds streams and never the host, on the simulated device and on NCCL
 * alike, and the pieces of training loops that are built on it.
 *
 * <p>Times are {@code long} nanoseconds of {@link dev.eddyline.device.Host#nanoTime}. Errors are
 * {@link dev.eddyline.group.GroupException}s where a group failed, and {@link
 * IllegalStateException} or {@link IllegalArgumentException} where it was used wrongly; then
 * nothing was enqueued. Buffers must stay valid until the work that uses them is done.
 */
@NullMarked
package dev.eddyline.group;

import org.jspecify.annotations.NullMarked;
