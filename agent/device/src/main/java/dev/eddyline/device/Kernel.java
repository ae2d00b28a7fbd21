package dev.eddyline.device;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A kernel: its name, what it is on a CUDA device (source) and on the simulated one (a body in
 * Java). Immutable; make it once, launch it often.
 */
public final class Kernel {
  private final String name;
  private final String source;
  private final KernelBody body;
  private final KernelCost cost;
  private final int @Nullable [] reads;
  private final int @Nullable [] writes;

  private Kernel(Builder from) {
    this.name = from.name;
    this.source = from.source;
    this.body = from.body;
    this.cost = from.cost;
    this.reads = from.reads;
    this.writes = from.writes;
  }

  /**
   * Begins a kernel.
   *
   * @param name the name of its function, also in traces
   */
  public static Builder named(String name) {
    return new Builder(name);
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** CUDA C for NVRTC, with an {@code extern "C" __global__} function of its name; "" if none. */
  public String source() {
    return source;
  }

  /** What it computes on the simulated device. */
  public KernelBody body() {
    return body;
  }

  /** How long it takes on the simulated device. */
  public KernelCost cost() {
    return cost;
  }

  /** Indices of the buffers that it reads; null if that was not declared. */
  public int @Nullable [] reads() {
    return reads == null ? null : reads.clone();
  }

  /** Indices of the buffers that it writes; null if that was not declared. */
  public int @Nullable [] writes() {
    return writes == null ? null : writes.clone();
  }

  @Override
  public String toString() {
    return name;
  }

  /** Collects what a kernel is. */
  public static final class Builder {
    private final String name;
    private String source = "";
    private KernelBody body = arguments -> {};
    private KernelCost cost = KernelCost.byBytes();
    private int @Nullable [] reads;
    private int @Nullable [] writes;

    private Builder(String name) {
      this.name = Objects.requireNonNull(name);
    }

    /** CUDA C with an {@code extern "C" __global__} function of the kernel's name. */
    public Builder source(String cuda) {
      source = Objects.requireNonNull(cuda);
      return this;
    }

    /** What it computes on the simulated device; nothing if not given. */
    public Builder body(KernelBody java) {
      body = Objects.requireNonNull(java);
      return this;
    }

    /** How long it takes on the simulated device. */
    public Builder cost(KernelCost model) {
      cost = Objects.requireNonNull(model);
      return this;
    }

    /** It always takes so many nanoseconds on the simulated device. */
    public Builder takes(long nanos) {
      return cost(KernelCost.fixed(nanos));
    }

    /** Indices of the parameters through which it reads. */
    public Builder reads(int... parameters) {
      reads = parameters.clone();
      return this;
    }

    /** Indices of the parameters through which it writes. */
    public Builder writes(int... parameters) {
      writes = parameters.clone();
      return this;
    }

    /** The kernel. */
    public Kernel build() {
      return new Kernel(this);
    }
  }
}
