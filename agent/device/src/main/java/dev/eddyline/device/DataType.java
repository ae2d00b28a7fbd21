package dev.eddyline.device;

/** Types of elements that collectives know; the names are NCCL's. */
public enum DataType {
  INT8(1, "i8"),
  UINT8(1, "u8"),
  INT32(4, "i32"),
  UINT32(4, "u32"),
  INT64(8, "i64"),
  UINT64(8, "u64"),
  /** IEEE half precision, in the bits of a {@code short}. */
  FLOAT16(2, "f16"),
  /** The upper half of a {@code float}, in the bits of a {@code short}. */
  BFLOAT16(2, "bf16"),
  FLOAT32(4, "f32"),
  FLOAT64(8, "f64");

  private final int bytes;
  private final String shortName;

  DataType(int bytes, String shortName) {
    this.bytes = bytes;
    this.shortName = shortName;
  }

  /** Bytes of one element. */
  public int bytes() {
    return bytes;
  }

  /** The short name that kernels carry: "f32". */
  public String shortName() {
    return shortName;
  }
}
