package dev.eddyline.device;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The arrows of the modules that programs use:
 *
 * <pre>
 *   marks (JDK alone)      trace, marks ◄ device ◄ device.sim
 * </pre>
 */
class DeviceArchitectureTest {
  private static JavaClasses all;

  @BeforeAll
  static void readClasses() {
    all =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.eddyline");
  }

  @Test
  void marks_need_the_jdk_alone() {
    classes()
        .that()
        .resideInAPackage("dev.eddyline.marks..")
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage("java..", "org.jspecify..", "dev.eddyline.marks.."))
        .check(all);
  }

  @Test
  void the_device_needs_trace_and_marks_alone() {
    classes()
        .that()
        .resideInAPackage("dev.eddyline.device..")
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(
                "java..",
                "org.jspecify..",
                "dev.eddyline.trace..",
                "dev.eddyline.marks..",
                "dev.eddyline.device.."))
        .check(all);
  }

  @Test
  void the_api_does_not_know_the_simulated_device() {
    noClasses()
        .that()
        .resideInAPackage("dev.eddyline.device")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.eddyline.device.sim..")
        .check(all);
  }

  @Test
  void trace_and_analysis_do_not_know_the_device() {
    noClasses()
        .that()
        .resideInAnyPackage("dev.eddyline.trace..", "dev.eddyline.analysis..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.eddyline.device..", "dev.eddyline.marks..")
        .check(all);
  }
}
