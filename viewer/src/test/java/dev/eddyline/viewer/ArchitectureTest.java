package dev.eddyline.viewer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final String ROOT = "dev.eddyline.viewer";
  private final JavaClasses viewer =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  @Test
  void data_flows_one_way() {
    layeredArchitecture()
        .consideringOnlyDependenciesInAnyPackage(ROOT + "..")
        .withOptionalLayers(true)
        .layer("track")
        .definedBy(ROOT + ".track..")
        .layer("model")
        .definedBy(ROOT + ".model..")
        .layer("paint")
        .definedBy(ROOT + ".paint..")
        .layer("chart")
        .definedBy(ROOT + ".chart..")
        .layer("view")
        .definedBy(ROOT + ".view..")
        .layer("app")
        .definedBy(ROOT + ".app..")
        .layer("command")
        .definedBy(ROOT)
        .whereLayer("track")
        .mayOnlyBeAccessedByLayers("model", "chart", "view", "app")
        .whereLayer("model")
        .mayOnlyBeAccessedByLayers("chart", "view", "app", "command")
        .whereLayer("paint")
        .mayOnlyBeAccessedByLayers("chart", "view", "app", "command")
        .whereLayer("chart")
        .mayOnlyBeAccessedByLayers("view", "app", "command")
        .whereLayer("view")
        .mayOnlyBeAccessedByLayers("app", "command")
        .whereLayer("app")
        .mayOnlyBeAccessedByLayers("command")
        .check(viewer);
  }

  @Test
  void pictures_need_no_window_system() {
    noClasses()
        .that()
        .resideInAnyPackage(
            ROOT + ".track..",
            ROOT + ".model..",
            ROOT + ".paint..",
            ROOT + ".chart..",
            ROOT + ".view..",
            ROOT)
        .should()
        .dependOnClassesThat()
        .resideInAPackage("javafx..")
        .check(viewer);
  }

  @Test
  void one_class_knows_awt() {
    noClasses()
        .that()
        .haveNameNotMatching(".*\\.ImagePainter")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.awt..", "javax.swing..", "javax.imageio..")
        .check(viewer);
  }
}
