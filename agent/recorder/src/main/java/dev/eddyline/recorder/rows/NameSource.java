package dev.eddyline.recorder.rows;

import dev.eddyline.recorder.shim.Shim;
import dev.eddyline.recorder.shim.ShimLibrary;
import java.nio.charset.StandardCharsets;

/** Where names come from: the shim, or a file of buffers that were recorded once. */
public interface NameSource {
  /** Name of an API function as CUPTI has it, "" if it is not known. */
  String call(int domain, int id);

  /** The text of an id that stands in a kernel's or a device's record, "" if there is none. */
  String text(int id);

  /** The shim's. */
  static NameSource ofShim() {
    return new NameSource() {
      @Override
      public String call(int domain, int id) {
        return new String(Shim.callbackName(domain, id), StandardCharsets.US_ASCII);
      }

      @Override
      public String text(int id) {
        return new String(Shim.name(id), ShimLibrary.encoding());
      }
    };
  }
}
