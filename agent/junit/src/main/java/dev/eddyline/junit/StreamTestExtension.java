package dev.eddyline.junit;

import dev.eddyline.device.Platform;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.TestAbortedException;

/** Carries out {@link StreamTest}. */
final class StreamTestExtension implements TestTemplateInvocationContextProvider {
  /** Configuration parameter: the folder of the traces. */
  static final String FOLDER = "eddyline.junit.traces";

  /** Key of the report entries that name traces of failed tests. */
  static final String TRACE_ENTRY = "eddyline.trace";

  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return AnnotationSupport.isAnnotated(context.getRequiredTestMethod(), StreamTest.class);
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    StreamTest test =
        AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), StreamTest.class)
            .orElseThrow();
    if (test.ranks() < 1 || test.schedules() < 1 || test.device().length == 0) {
      throw new ExtensionConfigurationException(
          "@StreamTest of "
              + context.getRequiredTestMethod().getName()
              + " needs at least one device, rank and schedule");
    }
    return Arrays.stream(test.device()).map(device -> new Invocation(test, device));
  }

  /** The test on one device. */
  private record Invocation(StreamTest test, DeviceKind device)
      implements TestTemplateInvocationContext {
    @Override
    public String getDisplayName(int index) {
      return device.word()
          + (test.ranks() > 1 ? ", " + test.ranks() + " ranks" : "")
          + (test.schedules() > 1 ? ", " + test.schedules() + " schedules" : "")
          + (test.seed() != 0 ? ", seed " + test.seed() : "");
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
      return List.of(new OnDevice(test, device));
    }
  }

  /** Gives the parameters of one invocation, skips it or publishes its traces. */
  private static final class OnDevice
      implements ExecutionCondition, ParameterResolver, AfterTestExecutionCallback {
    private static final String STREAMS = "streams";

    private final StreamTest test;
    private final DeviceKind device;

    OnDevice(StreamTest test, DeviceKind device) {
      this.test = test;
      this.device = device;
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      if (device == DeviceKind.SIM) {
        return ConditionEvaluationResult.enabled("the simulated device is always there");
      }
      return RealRun.unavailable(test.ranks())
          .map(ConditionEvaluationResult::disabled)
          .orElseGet(() -> ConditionEvaluationResult.enabled("there are enough CUDA devices"));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      Class<?> type = parameter.getParameter().getType();
      return type == Streams.class || type == Platform.class || type == long.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      Class<?> type = parameter.getParameter().getType();
      if (type == long.class) {
        return test.seed();
      }
      Streams streams = streams(context);
      return type == Platform.class ? new CurrentPlatform(streams) : streams;
    }

    private Streams streams(ExtensionContext context) {
      return context
          .getStore(ExtensionContext.Namespace.create(StreamTest.class, context.getUniqueId()))
          .getOrComputeIfAbsent(STREAMS, key -> make(context), Streams.class);
    }

    private Streams make(ExtensionContext context) {
      Streams streams =
          Streams.of(
                  device,
                  context.getRequiredTestClass().getSimpleName()
                      + "."
                      + context.getRequiredTestMethod().getName())
              .withRanks(test.ranks())
              .withSchedules(test.schedules())
              .withSeed(test.seed())
              .withStrict(test.strict());
      context
          .getConfigurationParameter(FOLDER)
          .ifPresent(folder -> streams.inFolder(Path.of(folder)));
      return streams;
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
      Throwable failure = context.getExecutionException().orElse(null);
      if (failure == null || failure instanceof TestAbortedException) {
        return;
      }
      for (Path file : streams(context).files()) {
        context.publishReportEntry(TRACE_ENTRY, Judge.shown(file));
      }
    }
  }
}
