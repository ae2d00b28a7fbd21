package dev.eddyline.analysis.timeline;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The strings of a timeline, each once, by dense ids; id 0 is the empty string. */
public final class Strings {
  private final List<String> values = new ArrayList<>();
  private final Map<String, Integer> ids = new HashMap<>();

  Strings() {
    intern("");
  }

  /** The id of a string, new if it was not there. */
  public int intern(String value) {
    Integer known = ids.get(value);
    if (known != null) {
      return known;
    }
    int id = values.size();
    values.add(value);
    ids.put(value, id);
    return id;
  }

  /** The string of an id; the empty string for a negative one. */
  public String get(long id) {
    return id < 0 ? "" : values.get((int) id);
  }

  /** How many strings there are. */
  public int size() {
    return values.size();
  }
}
