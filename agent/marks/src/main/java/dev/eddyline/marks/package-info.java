/** What a program tells a recorder of itself, if there is one; on the JDK alone. */
@NullMarked
package dev.eddyline.marks;

import org.jspecify.annotations.NullMarked;
