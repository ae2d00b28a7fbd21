package dev.eddyline.cli;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The arrows between modules, and between the packages of analysis. Dependencies point along the
 * data flow and never back:
 *
 * <pre>
 *   trace ◄ analysis ◄ cli
 *
 *   timeline ◄ importer
 *   timeline ◄ graph ◄ blame ◄ finding ◄ rule ◄ report ◄ export
 * </pre>
 */
class ArchitectureTest {
  private static final String ROOT = "dev.eddyline.";
  private static final String ANALYSIS = ROOT + "analysis.";
  private static JavaClasses all;

  /** A package of analysis, and the packages of analysis that it may use. */
  enum Layer {
    TIMELINE,
    IMPORTER("timeline"),
    GRAPH("timeline"),
    FINDING,
    ACCESS("timeline", "graph", "finding"),
    BLAME("timeline", "graph", "finding"),
    RULE("timeline", "graph", "access", "blame", "finding"),
    REPORT("timeline", "graph", "blame", "finding", "rule"),
    DEPS("timeline", "graph", "blame", "finding", "rule", "report"),
    EXPORT("timeline", "graph", "blame", "finding", "rule", "report", "importer"),
    CI("timeline", "graph", "blame", "finding", "rule", "report");

    private final String name = name().toLowerCase(Locale.ROOT);
    private final Set<String> lower;

    Layer(String... lower) {
      this.lower = Set.of(lower);
    }

    String packages() {
      return ANALYSIS + name + "..";
    }

    /** Every other class of analysis and above, save those of the layers that this one may use. */
    DescribedPredicate<JavaClass> forbidden() {
      String[] allowed =
          Arrays.stream(values())
              .filter(layer -> layer == this || lower.contains(layer.name))
              .map(Layer::packages)
              .toArray(String[]::new);
      return resideInAnyPackage(ROOT + "analysis..", ROOT + "cli..")
          .and(DescribedPredicate.not(resideInAnyPackage(allowed)))
          .as("of a layer above, or beside");
    }
  }

  @BeforeAll
  static void readClasses() {
    all =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.eddyline");
  }

  @Test
  void every_module_is_seen() {
    Set<String> modules =
        all.stream()
            .map(JavaClass::getPackageName)
            .map(name -> name.substring(ROOT.length()).split("\\.", 2)[0])
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(modules).contains("trace", "analysis", "cli");
  }

  @Test
  void trace_needs_the_jdk_and_zstd_alone() {
    classes()
        .that()
        .resideInAPackage("dev.eddyline.trace..")
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(
                "java..", "org.jspecify..", "com.github.luben.zstd..", "dev.eddyline.trace.."))
        .because("the writer runs in strangers' JVMs")
        .check(all);
  }

  @Test
  void trace_uses_only_the_base_module_of_the_jdk() {
    noClasses()
        .that()
        .resideInAPackage("dev.eddyline.trace..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.awt..", "java.sql..", "java.net.http..", "java.util.logging..")
        .check(all);
  }

  @Test
  void analysis_knows_no_command_line_no_user_interface_and_no_cuda_binding() {
    noClasses()
        .that()
        .resideInAPackage("dev.eddyline.analysis..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.eddyline.cli..",
            "picocli..",
            "javafx..",
            "java.awt..",
            "javax.swing..",
            "org.bytedeco..")
        .check(all);
  }

  @Test
  void only_the_command_line_uses_picocli() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.eddyline.cli..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("picocli..")
        .check(all);
  }

  @ParameterizedTest
  @EnumSource(Layer.class)
  void a_layer_of_analysis_uses_lower_layers_only(Layer layer) {
    noClasses()
        .that()
        .resideInAPackage(layer.packages())
        .should()
        .dependOnClassesThat(layer.forbidden())
        .allowEmptyShould(true)
        .check(all);
  }

  @Test
  void every_package_of_analysis_has_its_layer() {
    Set<String> known =
        Arrays.stream(Layer.values()).map(layer -> layer.name).collect(Collectors.toSet());

    Set<String> unknown =
        all.that(resideInAPackage("dev.eddyline.analysis.*..")).stream()
            .map(type -> type.getPackageName().substring(ANALYSIS.length()).split("\\.", 2)[0])
            .filter(name -> !known.contains(name))
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(unknown).as("packages of analysis without a place in Layer").isEmpty();
  }

  @Test
  void importers_know_nothing_of_one_another() {
    slices()
        .matching("dev.eddyline.analysis.importer.(*)..")
        .should()
        .notDependOnEachOther()
        .allowEmptyShould(true)
        .check(all);
  }
}
