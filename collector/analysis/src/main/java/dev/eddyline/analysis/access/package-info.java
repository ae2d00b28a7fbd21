/**
 * Which uses of memory nothing orders: accesses, lives of blocks, and what is wrong between them.
 */
@NullMarked
package dev.eddyline.analysis.access;

import org.jspecify.annotations.NullMarked;
