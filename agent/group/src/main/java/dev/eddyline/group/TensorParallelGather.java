package dev.eddyline.group;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.CachingAllocator;
import dev.eddyline.device.Stream;
import dev.eddyline.marks.Marks;

/**
 * Gathers the shards of a tensor on a stream of its own, ahead of the layer that needs it, into
 * memory of a caching allocator, with the lifetime right.
 *
 * <p>The memory belongs to the gather stream, so once freed it is handed out for the next gather at
 * once. The layer reads it on another stream; unless the allocator is told, the next gather
 * overwrites what the layer still reads. {@link Gathered#waitOnStream} tells it.
 *
 * <p>One thread uses it.
 */
public final class TensorParallelGather implements AutoCloseable {
  private final ProcessGroup group;
  private final CachingAllocator allocator;
  private final Stream stream;

  /** Makes the stream. */
  public TensorParallelGather(ProcessGroup group, CachingAllocator allocator) {
    this.group = group;
    this.allocator = allocator;
    this.stream = group.device().createStream("gather");
    Marks.nameStream(group.device().ordinal(), stream.handle(), "gather");
    Marks.role(group.device().ordinal(), stream.handle(), "gather");
  }

  /** The stream that gathers. */
  public Stream stream() {
    return stream;
  }

  /**
   * Begins to gather; holds neither the host nor the current stream. The shard is read behind what
   * is enqueued on the current stream now, and must stay as it is until the work is done.
   */
  public Gathered gather(Buffer shard) {
    Buffer whole = allocator.allocate(shard.type(), shard.count() * group.size(), stream);
    Work work = group.allGather(shard, whole, CollectiveOptions.defaults().withStream(stream));
    return new Gathered(whole, work);
  }

  /** A tensor that is being gathered. */
  public final class Gathered implements AutoCloseable {
    private final Buffer whole;
    private final Work work;
    private boolean freed;

    private Gathered(Buffer whole, Work work) {
      this.whole = whole;
      this.work = work;
    }

    /**
     * The tensor, for work of the current stream that is enqueued from now on: that stream waits,
     * and the memory is kept until it has done what it was given before {@link #close}.
     */
    public Buffer waitOnStream() {
      if (freed) {
        throw new IllegalStateException("the gathered tensor was freed before");
      }
      Stream user = group.device().currentStream();
      work.waitOnStream(user);
      allocator.recordStream(whole, user);
      return whole;
    }

    /** The work of the all-gather. */
    public Work work() {
      return work;
    }

    /** Frees the tensor, which may still be in use by what was enqueued; does not block. */
    @Override
    public void close() {
      if (!freed) {
        freed = true;
        allocator.free(whole);
      }
    }
  }

  /** Gives the stream back; does not block. */
  @Override
  public void close() {
    stream.close();
  }
}
