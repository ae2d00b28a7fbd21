package dev.eddyline.control;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "dev.eddyline.control",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule commands_know_no_analysis_and_no_binding =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.eddyline.analysis..",
              "dev.eddyline.agent..",
              "dev.eddyline.group..",
              "dev.eddyline.device..",
              "org.bytedeco..",
              "javafx..");

  @ArchTest
  static final ArchRule attach_is_apart =
      noClasses()
          .that()
          .doNotHaveSimpleName("JdkAttach")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.sun.tools.attach..")
          .because("a Java may lack the module jdk.attach");
}
