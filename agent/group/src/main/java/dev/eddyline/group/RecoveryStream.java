package dev.eddyline.group;

import dev.eddyline.device.Buffer;
import dev.eddyline.device.Device;
import dev.eddyline.device.Event;
import dev.eddyline.device.HostBuffer;
import dev.eddyline.device.Stream;
import dev.eddyline.marks.Marks;

/**
 * Fetches state to the host, for a rank that joins or for a checkpoint, beside the training.
 *
 * <p>What a snapshot waits for is the whole point: the stream that computes has usually been told
 * to wait for a collective, and a copy that waits for <em>all</em> of that stream holds whoever
 * syncs on it until the collective is done. So {@link #mark()} first, where the state is
 * consistent, and {@link #fetch} later; the copy waits for the mark and for nothing after it.
 *
 * <p>One thread uses it.
 */
public final class RecoveryStream implements AutoCloseable {
  private final Device device;
  private final Stream stream;

  /** Makes the stream. */
  public RecoveryStream(Device device) {
    this.device = device;
    this.stream = device.createStream("recovery");
    Marks.nameStream(device.ordinal(), stream.handle(), "recovery");
    Marks.role(device.ordinal(), stream.handle(), "recovery");
  }

  /** The stream. */
  public Stream stream() {
    return stream;
  }

  /**
   * Marks on the current stream that the state is consistent here. Call it before that stream is
   * told to wait for a collective.
   */
  public Event mark() {
    Event here = device.createEvent("consistent");
    device.currentStream().record(here);
    return here;
  }

  /**
   * Copies state to the host as it is at a mark; does not hold the host. Whatever changes the state
   * afterwards must be ordered behind the snapshot: {@link Snapshot#waitOnStream}.
   *
   * @param state device memory
   * @param target pinned memory of the same size
   * @param consistent what {@link #mark()} gave; this call uses it up
   * @throws IllegalArgumentException if the target is not pinned: the copy would hold the host
   */
  public Snapshot fetch(Buffer state, HostBuffer target, Event consistent) {
    if (target.kind() != Buffer.Kind.PINNED) {
      throw new IllegalArgumentException(
          "the target of a snapshot must be pinned memory, or the copy holds the host");
    }
    stream.waitFor(consistent);
    consistent.close();
    stream.copy(target, state);
    Event done = device.createEvent("snapshot");
    stream.record(done);
    return new Snapshot(device, done);
  }

  /** State on its way to the host. */
  public static final class Snapshot implements AutoCloseable {
    private final Device device;
    private final Event done;

    private Snapshot(Device device, Event done) {
      this.device = device;
      this.done = done;
    }

    /** Whether the host may read it; never blocks. */
    public boolean isDone() {
      return done.isDone();
    }

    /** Later work of the current stream waits until the state has been read; the host does not. */
    public void waitOnStream() {
      device.currentStream().waitFor(done);
    }

    /** <b>Blocks the host</b> until the copy is done, and for no other work. */
    public void waitBlocking() {
      done.synchronize();
    }

    /** Forgets it; the copy goes on. Does not block. */
    @Override
    public void close() {
      done.close();
    }
  }

  /** Gives the stream back; does not block. */
  @Override
  public void close() {
    stream.close();
  }
}
