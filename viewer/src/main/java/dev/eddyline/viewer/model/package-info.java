/** What the viewer shows and what is selected, without any user interface. */
@NullMarked
package dev.eddyline.viewer.model;

import org.jspecify.annotations.NullMarked;
