package dev.eddyline.analysis.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Checks JSON against the part of JSON Schema that Eddyline's own schemas and that of SARIF use. A
 * field that the schema does not name is a fault unless it allows others expressly.
 */
public final class Schema {
  private static final Set<String> KNOWN =
      Set.of(
          "$schema",
          "$defs",
          "$ref",
          "title",
          "description",
          "type",
          "properties",
          "required",
          "items",
          "enum",
          "const",
          "additionalProperties",
          "minimum",
          "maximum",
          "pattern",
          "$id",
          "default",
          "definitions",
          "format",
          "minItems",
          "uniqueItems",
          "anyOf",
          "oneOf");
  private final JsonNode root;
  private final List<String> faults = new ArrayList<>();

  private Schema(JsonNode root) {
    this.root = root;
  }

  public static List<String> faults(Path schema, JsonNode document) throws IOException {
    return faults(new ObjectMapper().readTree(schema.toFile()), document);
  }

  public static List<String> faults(JsonNode schema, JsonNode document) {
    Schema checker = new Schema(schema);
    checker.check(checker.root, document, "$");
    return checker.faults;
  }

  private void check(JsonNode schema, JsonNode value, String at) {
    schema
        .fieldNames()
        .forEachRemaining(
            keyword -> expect(KNOWN.contains(keyword), at, "schema keyword " + keyword));
    if (schema.has("$ref")) {
      check(root.at(schema.get("$ref").asText().substring(1)), value, at);
      return;
    }
    expect(!schema.has("const") || schema.get("const").equals(value), at, "const");
    expect(!schema.has("enum") || contains(schema.get("enum"), value), at, "enum: " + value);
    expect(!schema.has("type") || hasType(schema.get("type"), value), at, "type of " + value);
    if (schema.has("minimum") && value.isNumber()) {
      expect(value.asDouble() >= schema.get("minimum").asDouble(), at, "minimum");
    }
    if (schema.has("maximum") && value.isNumber()) {
      expect(value.asDouble() <= schema.get("maximum").asDouble(), at, "maximum");
    }
    if (schema.has("pattern") && value.isTextual()) {
      expect(
          Pattern.compile(schema.get("pattern").asText()).matcher(value.asText()).find(),
          at,
          "pattern: " + value);
    }
    if (value.isArray()) {
      expect(value.size() >= schema.path("minItems").asInt(0), at, "minItems");
      if (schema.path("uniqueItems").asBoolean()) {
        expect(Set.copyOf(list(value)).size() == value.size(), at, "uniqueItems");
      }
    }
    if (schema.has("anyOf")) {
      expect(matching(schema.get("anyOf"), value) >= 1, at, "anyOf: " + value);
    }
    if (schema.has("oneOf")) {
      expect(matching(schema.get("oneOf"), value) == 1, at, "oneOf: " + value);
    }
    if (schema.has("items") && value.isArray()) {
      for (int i = 0; i < value.size(); i++) {
        check(schema.get("items"), value.get(i), at + "[" + i + "]");
      }
    }
    boolean constrains = schema.has("properties") || schema.has("additionalProperties");
    if (value.isObject() && (constrains || schema.has("required"))) {
      checkObject(schema, value, at);
    }
  }

  private void checkObject(JsonNode schema, JsonNode value, String at) {
    for (JsonNode name : schema.path("required")) {
      expect(value.has(name.asText()), at, "has no " + name.asText());
    }
    value
        .properties()
        .forEach(
            field -> {
              JsonNode known = schema.path("properties").path(field.getKey());
              JsonNode others = schema.path("additionalProperties");
              if (known.isObject()) {
                check(known, field.getValue(), at + "." + field.getKey());
              } else if (others.isObject()) {
                check(others, field.getValue(), at + "." + field.getKey());
              } else if (!others.asBoolean() && schema.has("properties")) {
                faults.add(at + "." + field.getKey() + ": not in the schema");
              }
            });
  }

  private int matching(JsonNode alternatives, JsonNode value) {
    int matching = 0;
    for (JsonNode alternative : alternatives) {
      Schema inner = new Schema(root);
      inner.check(alternative, value, "$");
      matching += inner.faults.isEmpty() ? 1 : 0;
    }
    return matching;
  }

  private static List<JsonNode> list(JsonNode array) {
    List<JsonNode> values = new ArrayList<>();
    array.forEach(values::add);
    return values;
  }

  private static boolean contains(JsonNode values, JsonNode value) {
    for (JsonNode allowed : values) {
      if (allowed.equals(value)) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasType(JsonNode type, JsonNode value) {
    if (type.isArray()) {
      for (JsonNode one : type) {
        if (hasType(one, value)) {
          return true;
        }
      }
      return false;
    }
    return switch (type.asText()) {
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      case "string" -> value.isTextual();
      case "integer" -> value.isIntegralNumber();
      case "number" -> value.isNumber();
      case "boolean" -> value.isBoolean();
      case "null" -> value.isNull();
      default -> false;
    };
  }

  private void expect(boolean holds, String at, String what) {
    if (!holds) {
      faults.add(at + ": " + what);
    }
  }
}
