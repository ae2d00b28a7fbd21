/**
 * Benchmarks of the readers and the analysis, and makers of the large traces that they need.
 *
 * <p>To run one: {@code ./mvnw -pl collector/benchmarks -am package -DskipTests}, then {@code java
 * -cp CLASSPATH org.openjdk.jmh.Main KinetoReader -p trace=TRACE}, where the class path is the jars
 * of this module, of analysis and trace, and those that {@code dependency:build-classpath} names.
 */
@NullMarked
package dev.eddyline.benchmark;

import org.jspecify.annotations.NullMarked;
