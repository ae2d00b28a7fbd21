package dev.eddyline.agent.boot;

import java.io.File;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Makes a module of the jars inside the agent's jar, in a layer and a loader of its own, and starts
 * the agent there. A module and not a class path, because a named module can be given native
 * access: without it JDK 24 and newer print warnings into the host's log when the recorder loads
 * its library.
 */
public final class Boot {
  private static final String MODULE = "dev.eddyline.agent.inner";
  private static final String MAIN_PACKAGE = "dev.eddyline.agent.runtime";
  private static final int NATIVE_ACCESS_IS_ASKED_FOR = 22;

  private Boot() {}

  /** Starts the agent: what it gives takes options and whether the program already runs. */
  @SuppressWarnings("unchecked")
  public static BiFunction<String, Boolean, Consumer<ByteBuffer>> boot(
      File jar, Instrumentation instrumentation) throws IOException, ReflectiveOperationException {
    NestedJars jars = NestedJars.read(jar);
    AgentLoader loader = new AgentLoader(jars, ClassLoader.getPlatformClassLoader());
    Module module = define(jars, loader, jar.toURI());
    giveNativeAccess(module, instrumentation);
    return (BiFunction<String, Boolean, Consumer<ByteBuffer>>)
        loader
            .loadClass(MAIN_PACKAGE + ".AgentMain")
            .getConstructor(Instrumentation.class)
            .newInstance(instrumentation);
  }

  private static Module define(NestedJars jars, AgentLoader loader, URI location) {
    ModuleDescriptor descriptor =
        ModuleDescriptor.newOpenModule(MODULE)
            .packages(jars.packages())
            .exports(MAIN_PACKAGE)
            .requires("java.base")
            .requires("java.instrument")
            .requires(Set.of(ModuleDescriptor.Requires.Modifier.STATIC), "jdk.jfr")
            .build();
    // Where java.instrument is no module that the JVM started with, it lies in a layer above.
    ModuleLayer parent = Instrumentation.class.getModule().getLayer();
    Configuration configuration =
        parent
            .configuration()
            .resolve(new Only(descriptor, location), ModuleFinder.of(), Set.of(MODULE));
    return ModuleLayer.defineModules(configuration, List.of(parent), name -> loader)
        .layer()
        .findModule(MODULE)
        .orElseThrow();
  }

  /**
   * What {@code --enable-native-access} does for a module that the command line knows; that there
   * is no public way for an agent is why java.lang is opened, to this class's own loader alone.
   */
  private static void giveNativeAccess(Module module, Instrumentation instrumentation) {
    if (Runtime.version().feature() < NATIVE_ACCESS_IS_ASKED_FOR) {
      return;
    }
    try {
      instrumentation.redefineModule(
          Object.class.getModule(),
          Set.of(),
          Map.of(),
          Map.of("java.lang", Set.of(Boot.class.getModule())),
          Set.of(),
          Map.of());
      Method enable = Module.class.getDeclaredMethod("implAddEnableNativeAccess");
      enable.setAccessible(true);
      enable.invoke(module);
    } catch (ReflectiveOperationException | RuntimeException anotherJdk) {
      // Then the JDK says what it has to say, and the recorder works all the same.
      return;
    }
  }

  /** A finder that knows this one module; its classes come from the loader. */
  private static final class Only extends ModuleReference implements ModuleFinder {
    private Only(ModuleDescriptor descriptor, URI location) {
      super(descriptor, location);
    }

    @Override
    public Optional<ModuleReference> find(String name) {
      return name.equals(descriptor().name()) ? Optional.of(this) : Optional.empty();
    }

    @Override
    public Set<ModuleReference> findAll() {
      return Set.of(this);
    }

    @Override
    public ModuleReader open() {
      return new ModuleReader() {
        @Override
        public Optional<URI> find(String name) {
          return Optional.empty();
        }

        @Override
        public Stream<String> list() {
          return Stream.empty();
        }

        @Override
        public void close() {}
      };
    }
  }
}
