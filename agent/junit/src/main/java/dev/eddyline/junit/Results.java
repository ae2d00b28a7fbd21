package dev.eddyline.junit;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a program says came out, by rank and name; threads of all ranks may put. */
final class Results {
  private final Map<String, Object> values = new TreeMap<>();

  synchronized void put(int rank, String what, Object value) {
    values.put("rank " + rank + " \"" + what + "\"", copy(value));
  }

  private static Object copy(Object value) {
    if (value.getClass().isArray()) {
      List<Object> items = new ArrayList<>();
      for (int i = 0; i < Array.getLength(value); i++) {
        Object item = Array.get(value, i);
        items.add(item == null ? "null" : copy(item));
      }
      return items;
    }
    if (value instanceof Iterable<?> iterable) {
      List<Object> items = new ArrayList<>();
      iterable.forEach(item -> items.add(item == null ? "null" : copy(item)));
      return items;
    }
    return value;
  }

  /**
   * The first difference in words: "rank 0 "sum"[2] is 3.0 with seed 0, but 2.0 with seed 5"; null
   * if there is none.
   */
  synchronized @Nullable String differenceTo(Results plain, long plainSeed, long seed) {
    String with = " is %s with seed " + plainSeed + ", but %s with seed " + seed;
    for (String key : plain.values.keySet()) {
      Object expected = plain.values.get(key);
      Object actual = values.get(key);
      String difference = difference(key, expected, actual, with);
      if (difference != null) {
        return difference;
      }
    }
    for (String key : values.keySet()) {
      if (!plain.values.containsKey(key)) {
        return difference(key, null, values.get(key), with);
      }
    }
    return null;
  }

  private static @Nullable String difference(
      String key, @Nullable Object expected, @Nullable Object actual, String with) {
    if (expected instanceof List<?> a && actual instanceof List<?> b && a.size() == b.size()) {
      for (int i = 0; i < a.size(); i++) {
        String inside = difference(key + "[" + i + "]", a.get(i), b.get(i), with);
        if (inside != null) {
          return inside;
        }
      }
      return null;
    }
    boolean same = expected == null ? actual == null : expected.equals(actual);
    return same ? null : key + String.format(java.util.Locale.ROOT, with, expected, actual);
  }
}
