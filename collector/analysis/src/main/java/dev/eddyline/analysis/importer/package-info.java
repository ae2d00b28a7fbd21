/** Opens trace files of any known format into one timeline. */
@NullMarked
package dev.eddyline.analysis.importer;

import org.jspecify.annotations.NullMarked;
