/** What CI servers read: results as SARIF, JUnit XML and GitHub's annotations. */
@NullMarked
package dev.eddyline.analysis.ci;

import org.jspecify.annotations.NullMarked;
