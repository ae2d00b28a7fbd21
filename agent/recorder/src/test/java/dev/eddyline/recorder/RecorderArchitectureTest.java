package dev.eddyline.recorder;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class RecorderArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.eddyline.recorder");

  @Test
  void the_recorder_needs_the_jdk_the_trace_and_the_marks_alone() {
    classes()
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(
                "java..",
                "org.jspecify..",
                "dev.eddyline.trace",
                "dev.eddyline.marks",
                "dev.eddyline.recorder.."))
        .check(CLASSES);
  }

  @Test
  void only_decode_knows_cuptis_layouts() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "dev.eddyline.recorder.rows",
            "dev.eddyline.recorder.marks",
            "dev.eddyline.recorder.shim")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.eddyline.recorder.decode")
        .check(CLASSES);
  }
}
