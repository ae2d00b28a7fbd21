/** What a user does with an open trace: actions, search, navigation, sums, sessions; no toolkit. */
@NullMarked
package dev.eddyline.viewer.view;

import org.jspecify.annotations.NullMarked;
