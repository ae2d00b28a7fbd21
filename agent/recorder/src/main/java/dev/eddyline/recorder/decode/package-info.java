/**
 * From CUPTI's activity buffers to rows of a trace, by offsets; nothing else knows CUPTI's layouts.
 */
@NullMarked
package dev.eddyline.recorder.decode;

import org.jspecify.annotations.NullMarked;
