/** The native shim: its library, its methods, and where CUPTI is looked for. */
@NullMarked
package dev.eddyline.recorder.shim;

import org.jspecify.annotations.NullMarked;
