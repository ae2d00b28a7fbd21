package dev.eddyline.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test of stream logic, once for each device. It gives the method what it asks for as parameters:
 *
 * <ul>
 *   <li>{@link Streams}: runs and records a program, on so many ranks and schedules, and has the
 *       group of all ranks ({@link Streams#group}, or the second parameter of the program);
 *   <li>{@link dev.eddyline.device.Platform}: that of the rank which calls, inside of {@code
 *       streams.record(...)};
 *   <li>{@code long}: the first schedule's seed.
 * </ul>
 *
 * <p>A device that is not there skips the test and says why. If the test fails the files of its
 * traces are published as report entries, {@code eddyline.trace}. They lie in {@code
 * target/eddyline}; the configuration parameter {@value StreamTestExtension#FOLDER} names another
 * folder.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(StreamTestExtension.class)
public @interface StreamTest {
  /** On what it runs, one after the other. */
  DeviceKind[] device() default DeviceKind.SIM;

  /** How many ranks run the program. */
  int ranks() default 1;

  /**
   * On how many schedules the program runs, within what CUDA allows. Results, failures and
   * assertions that are not the same on all of them fail, with the seed and the pair of ops.
   */
  int schedules() default 1;

  /** The first schedule; 0 is the plain one, in which nothing varies. */
  long seed() default 0;

  /** Whether an assertion that the trace cannot answer fails, where it would abort the test. */
  boolean strict() default false;
}
