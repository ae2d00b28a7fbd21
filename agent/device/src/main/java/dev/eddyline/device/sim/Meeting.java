package dev.eddyline.device.sim;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One collective across its ranks: nobody ends before everybody has started. */
final class Meeting extends Due {
  private final CommunicatorCore core;
  private final String label;
  private final @Nullable CollectiveCall[] calls;
  private int arrived;
  private boolean mismatch;
  private @Nullable List<@Nullable ByteBuffer> inputs;

  /**
   * @param places how many ranks meet
   * @param label what messages call it
   */
  Meeting(CommunicatorCore core, int places, String label) {
    this.core = core;
    this.label = label;
    this.calls = new CollectiveCall[places];
  }

  void arrive(int place, CollectiveCall call, long now) {
    calls[place] = call;
    call.meeting = this;
    if (++arrived < calls.length) {
      return;
    }
    String expected = null;
    long bytes = 0;
    for (CollectiveCall each : calls) {
      if (each != null) {
        String signature = each.signature();
        mismatch |= expected != null && !expected.equals(signature);
        expected = expected == null ? signature : expected;
        bytes = Math.max(bytes, each.bytes());
      }
    }
    if (mismatch) {
      core.failed(describe());
      return;
    }
    if (core.world.schedule.otherWay()) {
      inputs = snapshot();
    }
    long nanos = Costs.COLLECTIVE_START + Costs.moving(bytes, Costs.LINK_RATE);
    core.world.at(now + core.world.schedule.duration(nanos), this);
  }

  boolean isOpen() {
    return arrived < calls.length || mismatch || isBroken();
  }

  boolean isBroken() {
    for (CollectiveCall call : calls) {
      if (call != null && call.communicator.process.isDead()) {
        return true;
      }
    }
    return false;
  }

  @Override
  void fire() {
    if (isBroken()) {
      return;
    }
    boolean whole = true;
    for (CollectiveCall call : calls) {
      whole &= call != null && call.launch != null && !call.launch.isAborted();
    }
    if (whole) {
      compute();
    }
    core.closed(this);
    for (CollectiveCall call : calls) {
      if (call != null && call.launch != null) {
        call.launch.partDone(core.world.now);
      }
    }
  }

  private List<@Nullable ByteBuffer> snapshot() {
    List<@Nullable ByteBuffer> copies = new ArrayList<>();
    for (ByteBuffer buffer : live()) {
      if (buffer == null) {
        copies.add(null);
      } else {
        ByteBuffer copy = ByteBuffer.allocate(buffer.remaining()).order(ByteOrder.nativeOrder());
        copy.put(0, buffer, 0, buffer.remaining());
        copies.add(copy);
      }
    }
    return copies;
  }

  private List<@Nullable ByteBuffer> live() {
    List<@Nullable ByteBuffer> buffers = new ArrayList<>();
    for (CollectiveCall call : calls) {
      buffers.add(call == null || call.send == null ? null : call.send.data());
    }
    return buffers;
  }

  private void compute() {
    if (isUntouched()) {
      return;
    }
    // Outputs may be inputs: read all before the first is written.
    List<@Nullable ByteBuffer> from = inputs != null ? inputs : snapshot();
    inputs = null;
    ByteBuffer reduced = null;
    for (int place = 0; place < calls.length; place++) {
      CollectiveCall call = calls[place];
      if (call == null || call.receive == null) {
        continue;
      }
      ByteBuffer to = call.receive.data();
      if (reduced == null) {
        Exchange.write(call, place, from, to);
        // All ranks receive the same: it is computed once.
        reduced = call.kind == CollectiveKind.ALL_REDUCE ? to : null;
      } else {
        to.put(0, reduced, 0, to.remaining());
      }
    }
  }

  /** Whether nobody ever wrote to any of the buffers: large ones then take no memory. */
  private boolean isUntouched() {
    for (CollectiveCall call : calls) {
      if (call != null
          && (call.send != null && call.send.block.isTouched()
              || call.receive != null && call.receive.block.isTouched())) {
        return false;
      }
    }
    return true;
  }

  /** What is wrong with it, in words. */
  String describe() {
    StringBuilder text = new StringBuilder(label);
    if (mismatch) {
      text.append(" does not agree:");
      for (CollectiveCall call : calls) {
        if (call != null) {
          text.append(" rank ").append(call.communicator.rank()).append(" called ");
          text.append(call.signature()).append(';');
        }
      }
      text.setLength(text.length() - 1);
      return text.toString();
    }
    List<String> missing = new ArrayList<>();
    for (int place = 0; place < calls.length; place++) {
      CollectiveCall call = calls[place];
      if (call == null) {
        missing.add(Integer.toString(core.rankAt(this, place)));
      } else if (call.communicator.process.isDead()) {
        missing.add(call.communicator.rank() + " (killed)");
      }
    }
    return text.append(" waits for rank ").append(String.join(", ", missing)).toString();
  }
}
