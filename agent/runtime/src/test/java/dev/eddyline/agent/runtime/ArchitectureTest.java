package dev.eddyline.agent.runtime;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "dev.eddyline.agent",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule the_agent_needs_the_jdk_and_eddylines_recorder_alone =
      classes()
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                  "java..",
                  "jdk.jfr..",
                  "org.jspecify..",
                  "dev.eddyline.agent..",
                  "dev.eddyline.options..",
                  "dev.eddyline.recorder.."))
          .because("it runs in strangers' JVMs");

  @ArchTest
  static final ArchRule flight_recorder_is_apart =
      noClasses()
          .that()
          .haveSimpleNameNotContaining("Blocked")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("jdk.jfr..")
          .because("a Java may lack the module jdk.jfr");

  @ArchTest
  static final ArchRule the_first_classes_stand_alone =
      classes()
          .that()
          .resideInAPackage("dev.eddyline.agent.boot..")
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage("java..", "org.jspecify..", "dev.eddyline.agent.boot.."))
          .because("another loader reads them than the rest");
}
