/**
 * Records what a process does on its GPUs into a trace file: {@link
 * dev.eddyline.recorder.Recorder#start}. The agent drives it; it knows no options' words, sockets
 * or instrumentation.
 */
@NullMarked
package dev.eddyline.recorder;

import org.jspecify.annotations.NullMarked;
