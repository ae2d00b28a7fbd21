/**
 * The device API on CUDA, NVRTC and NCCL, by JavaCPP's presets. {@link dev.eddyline.cuda.Cuda} is
 * where it begins.
 *
 * <p>No object on a hot path owns native memory: addresses are plain {@code long}s in pointer
 * objects without a deallocator, so that the garbage collector never calls CUDA.
 */
@NullMarked
package dev.eddyline.cuda;

import org.jspecify.annotations.NullMarked;
