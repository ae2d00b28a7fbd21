package dev.eddyline.cuda;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class CudaArchitectureTest {
  @Test
  void cuda_needs_the_device_api_and_javacpp_alone() {
    classes()
        .that()
        .resideInAPackage("dev.eddyline.cuda..")
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(
                "java..",
                "org.jspecify..",
                "org.bytedeco..",
                "dev.eddyline.device",
                "dev.eddyline.cuda.."))
        .check(
            new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.eddyline"));
  }
}
