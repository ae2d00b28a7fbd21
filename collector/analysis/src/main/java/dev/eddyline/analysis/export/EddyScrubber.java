package dev.eddyline.analysis.export;

import dev.eddyline.analysis.timeline.Timeline;
import dev.eddyline.trace.EddyWriter;
import dev.eddyline.trace.RecordType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Replaces names that tell who ran what and where by pseudonyms, "python-17": the same name in the
 * same role always by the same one, numbered by first appearance. What is not known to be harmless
 * is replaced; a string that no row uses is not written. The full list is in docs/trace-format.md.
 * Kept are numbers: process, thread and stream ids, times, sizes, shapes.
 */
final class EddyScrubber extends EddyNames {
  /** What a string stands for, with the word of its pseudonyms. */
  private enum Role {
    ANNOTATION("annotation"),
    OPERATOR("operator"),
    PYTHON("python"),
    NVTX("nvtx"),
    JAVA("java"),
    STEP("step"),
    CALL("call"),
    KERNEL(""),
    HOST_FUNCTION("function"),
    SHAPE("shape"),
    TYPE("type"),
    WORD("word"),
    COMMUNICATOR("communicator"),
    STREAM_ROLE("role"),
    BUFFER("buffer"),
    HOST("host"),
    THREAD("thread"),
    STREAM("stream"),
    FILE("trace"),
    PROPERTY("property");

    final String word;

    Role(String word) {
      this.word = word;
    }
  }

  private static final String LIBRARY =
      "(aten|c10d|c10|prim|prims)::\\S*|nccl:[\\w :<>-]*|record_param_comms";
  private static final Pattern STEP = Pattern.compile("(ProfilerStep#|step)\\d+");
  private static final Pattern OPERATOR = Pattern.compile(LIBRARY);
  private static final Pattern NVTX = Pattern.compile(LIBRARY + "|nccl[A-Z]\\w*");
  private static final Pattern CALL = Pattern.compile("(cu|hip|hsa|nccl)[A-Za-z0-9_]*");
  private static final Pattern SHAPE = Pattern.compile("[\\[\\](){}0-9,.\\s-]*");
  private static final Pattern WORD = Pattern.compile("[a-z][a-z0-9_ ]{0,40}");
  private static final Pattern COMMUNICATOR = Pattern.compile("default_pg|world|(0x)?[0-9a-f]*");
  private static final Pattern STREAM = Pattern.compile("default|legacy|per-thread|(?i:nccl)");
  private static final Pattern VERSION = Pattern.compile("[0-9][0-9.]*");
  private static final Set<String> HARMLESS_PROPERTIES =
      Set.of("GPU", "driver", "exporter", "schema", "enabled", "perturbing", "compression");
  private static final Set<String> TYPES =
      Set.of(
          "float",
          "double",
          "half",
          "bfloat16",
          "int",
          "long",
          "short",
          "char",
          "byte",
          "bool",
          "signed",
          "unsigned",
          "complex",
          "void",
          "Scalar",
          "ScalarList",
          "TensorList",
          "Tensor",
          "GenericList",
          "c10",
          "at",
          "Half",
          "BFloat16",
          "Float",
          "Double",
          "Int",
          "Long",
          "Short",
          "Char",
          "Byte",
          "Bool",
          "Float8_e4m3fn",
          "Float8_e5m2",
          "ComplexFloat",
          "ComplexDouble",
          "ComplexHalf",
          "None");
  private static final Pattern NO_NAME = Pattern.compile("[^A-Za-z0-9_]+");

  private final Timeline timeline;
  private final Map<Role, int[]> ids = new HashMap<>();
  private final Map<Role, Map<String, String>> pseudonyms = new HashMap<>();

  EddyScrubber(Timeline timeline) {
    super(timeline);
    this.timeline = timeline;
  }

  /** Defines nothing: the rows bring what they use. */
  @Override
  void defineAll(EddyWriter writer) {}

  @Override
  long string(RecordType type, int column, long[] row, EddyWriter writer) {
    Role role = role(type, column, row);
    int[] known = ids.computeIfAbsent(role, missing -> unknown(timeline.strings().size()));
    int id = (int) row[column];
    if (known[id] < 0) {
      known[id] = writer.string(scrub(role, timeline.strings().get(id)));
    }
    return known[id];
  }

  private static int[] unknown(int size) {
    int[] ids = new int[size];
    Arrays.fill(ids, -1);
    return ids;
  }

  private static Role role(RecordType type, int column, long[] row) {
    return switch (type) {
      case CALL -> Role.CALL;
      case OP ->
          row[RecordType.Op.KIND] == RecordType.Op.KIND_HOST_FUNCTION
              ? Role.HOST_FUNCTION
              : Role.KERNEL;
      case RANGE ->
          switch (column) {
            case RecordType.Range.SHAPE -> Role.SHAPE;
            case RecordType.Range.DTYPE -> Role.TYPE;
            default -> range(row[RecordType.Range.KIND]);
          };
      case COLLECTIVE ->
          switch (column) {
            case RecordType.Collective.SHAPE -> Role.SHAPE;
            case RecordType.Collective.DTYPE -> Role.TYPE;
            case RecordType.Collective.COMMUNICATOR -> Role.COMMUNICATOR;
            default -> Role.WORD;
          };
      case ROLE -> Role.STREAM_ROLE;
      case ALLOCATION -> Role.BUFFER;
      default -> Role.WORD;
    };
  }

  private static Role range(long kind) {
    return switch ((int) kind) {
      case RecordType.Range.KIND_OPERATOR -> Role.OPERATOR;
      case RecordType.Range.KIND_PYTHON -> Role.PYTHON;
      case RecordType.Range.KIND_NVTX -> Role.NVTX;
      case RecordType.Range.KIND_JAVA -> Role.JAVA;
      case RecordType.Range.KIND_STEP -> Role.STEP;
      default -> Role.ANNOTATION;
    };
  }

  private String scrub(Role role, String name) {
    boolean keep =
        name.isEmpty()
            || switch (role) {
              case KERNEL -> true;
              case STEP -> STEP.matcher(name).matches();
              case ANNOTATION -> isStepOr(OPERATOR, name);
              case OPERATOR -> isStepOr(OPERATOR, name);
              case NVTX -> isStepOr(NVTX, name);
              case CALL -> CALL.matcher(name).matches();
              case SHAPE -> SHAPE.matcher(name).matches();
              case TYPE -> isTypes(name);
              case WORD -> WORD.matcher(name).matches();
              case COMMUNICATOR -> COMMUNICATOR.matcher(name).matches();
              case STREAM, STREAM_ROLE -> STREAM.matcher(name).matches();
              case PROPERTY -> VERSION.matcher(name).matches();
              case PYTHON, JAVA, HOST_FUNCTION, BUFFER, HOST, THREAD, FILE -> false;
            };
    return keep ? name : pseudonym(role, name);
  }

  private static boolean isStepOr(Pattern pattern, String name) {
    return STEP.matcher(name).matches() || pattern.matcher(name).matches();
  }

  private static boolean isTypes(String name) {
    return NO_NAME
        .splitAsStream(name)
        .allMatch(word -> word.isEmpty() || TYPES.contains(word) || isNumber(word));
  }

  private static boolean isNumber(String word) {
    return word.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private String pseudonym(Role role, String name) {
    Map<String, String> known = pseudonyms.computeIfAbsent(role, missing -> new HashMap<>());
    return known.computeIfAbsent(name, missing -> role.word + "-" + (known.size() + 1));
  }

  @Override
  String file(String name) {
    return scrub(Role.FILE, name);
  }

  /** Versions stay, and the values of keys that are known to be harmless. */
  @Override
  Map<String, String> properties(Map<String, String> properties) {
    Map<String, String> scrubbed = new LinkedHashMap<>();
    properties.forEach(
        (key, value) ->
            scrubbed.put(
                key, HARMLESS_PROPERTIES.contains(key) ? value : scrub(Role.PROPERTY, value)));
    return scrubbed;
  }

  @Override
  String what(String skipped) {
    return "a part that could not be read";
  }

  @Override
  String host(String name) {
    return scrub(Role.HOST, name);
  }

  @Override
  String thread(String name) {
    return scrub(Role.THREAD, name);
  }

  @Override
  String stream(String name) {
    return scrub(Role.STREAM, name);
  }
}
