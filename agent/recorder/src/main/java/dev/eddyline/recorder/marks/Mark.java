package dev.eddyline.recorder.marks;

import java.nio.ByteBuffer;

/**
 * A mark on its way to the thread that drains.
 *
 * @param record as {@code MarkLayout} has it
 * @param tid the operating system's id of the thread that marked
 * @param stream context &lt;&lt; 32 | CUPTI's id of the stream that it names, -1 if none or not
 *     known
 * @param group of the launch that it begins or ends, 0 if none
 */
record Mark(ByteBuffer record, int tid, long stream, long group) {}
