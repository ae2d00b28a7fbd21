package dev.eddyline.analysis.timeline;

/**
 * A stream: one handle of one context from its creation to its destruction.
 *
 * @param process index of the process
 * @param device device number in that process, -1 if not known
 * @param context context id, 0 if the source has none
 * @param id stream id as the source gives it
 * @param generation counts up where the source says that an id was reused
 * @param kind what the source says of its flags
 * @param name a name that someone gave it, "" if none
 */
public record StreamInfo(
    int process, int device, long context, long id, int generation, Kind kind, String name) {

  /** How a stream relates to the legacy default stream. */
  public enum Kind {
    UNKNOWN,
    BLOCKING,
    NON_BLOCKING,
    LEGACY_DEFAULT,
    PER_THREAD_DEFAULT
  }

  /** The name to show: the given name, else the id. */
  public String label() {
    return name.isEmpty() ? Long.toString(id) : name;
  }

  /** This stream with a name. */
  public StreamInfo named(String newName) {
    return new StreamInfo(process, device, context, id, generation, kind, newName);
  }
}
