package dev.eddyline.group;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The arrows of the process group:
 *
 * <pre>
 *   marks, device (the API, not sim) ◄ group
 * </pre>
 */
class GroupArchitectureTest {
  private static JavaClasses all;

  @BeforeAll
  static void readClasses() {
    all =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.eddyline");
  }

  @Test
  void the_group_needs_device_and_marks_alone() {
    classes()
        .that()
        .resideInAPackage("dev.eddyline.group..")
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(
                "java..",
                "org.jspecify..",
                "dev.eddyline.marks..",
                "dev.eddyline.device",
                "dev.eddyline.group.."))
        .check(all);
  }

  @Test
  void nothing_below_knows_the_group() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "dev.eddyline.trace..",
            "dev.eddyline.analysis..",
            "dev.eddyline.marks..",
            "dev.eddyline.device..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.eddyline.group..")
        .check(all);
  }
}
