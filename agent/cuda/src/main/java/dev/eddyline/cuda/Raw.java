package dev.eddyline.cuda;

import org.bytedeco.cuda.cudart.CUevent_st;
import org.bytedeco.cuda.cudart.CUstream_st;
import org.bytedeco.javacpp.Pointer;

/** An address as JavaCPP wants it: owns nothing, frees nothing. */
final class Raw extends Pointer {
  Raw(long address) {
    this.address = address;
  }

  /** The same address as memory of a size, so that it can be seen as a buffer. */
  static Raw memory(long address, long bytes) {
    Raw raw = new Raw(address);
    raw.capacity = bytes;
    raw.limit = bytes;
    return raw;
  }

  static CUstream_st stream(long handle) {
    return new CUstream_st(new Raw(handle));
  }

  static CUevent_st event(long handle) {
    return new CUevent_st(new Raw(handle));
  }
}
