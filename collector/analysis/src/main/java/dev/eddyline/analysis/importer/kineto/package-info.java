/** Reads Kineto's Chrome traces (torch.profiler) of all ages, JSON or gzip, as a stream. */
@NullMarked
package dev.eddyline.analysis.importer.kineto;

import org.jspecify.annotations.NullMarked;
