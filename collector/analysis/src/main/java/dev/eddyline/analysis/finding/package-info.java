/** What an analysis says: findings with their evidence, latent syncs, waits, coverage. */
@NullMarked
package dev.eddyline.analysis.finding;

import org.jspecify.annotations.NullMarked;
