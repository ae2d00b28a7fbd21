/**
 * Small programs, each in a right form and in broken ones, whose traces show what Eddyline finds. A
 * program is a {@link dev.eddyline.samples.Story}; {@link dev.eddyline.samples.Samples} runs it on
 * a {@link dev.eddyline.samples.SampleDevice}.
 */
@NullMarked
package dev.eddyline.samples;

import org.jspecify.annotations.NullMarked;
