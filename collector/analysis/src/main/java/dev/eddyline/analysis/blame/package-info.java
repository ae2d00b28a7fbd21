/** Who held the host: blocked calls, the op that released each, and the walk back in time. */
@NullMarked
package dev.eddyline.analysis.blame;

import org.jspecify.annotations.NullMarked;
