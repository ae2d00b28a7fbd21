/**
 * Tests of stream logic: assertions on which stream waits for which, on what holds the host and on
 * what overlaps, over recorded files ({@link dev.eddyline.junit.StreamTrace#open}) and over what a
 * test records itself ({@link dev.eddyline.junit.Streams#record}).
 *
 * <p>Nothing here has static state; tests may run in parallel.
 */
@NullMarked
package dev.eddyline.junit;

import org.jspecify.annotations.NullMarked;
