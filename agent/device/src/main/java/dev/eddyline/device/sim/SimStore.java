package dev.eddyline.device.sim;

import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Store;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The store of a simulated job. */
final class SimStore implements Store {
  private static final long ROUND_TRIP = 40_000;
  private final Map<String, byte[]> values = new HashMap<>();
  private final SimSignal changed = new SimSignal();

  private static SimThread call() {
    SimThread thread = SimThread.current();
    thread.now += ROUND_TRIP;
    thread.process.world.see(thread);
    return thread;
  }

  @Override
  public void set(String key, byte[] value) {
    call();
    values.put(key, value.clone());
    changed.wake();
  }

  @Override
  public byte[] get(String key, long timeoutNanos) {
    SimThread thread = call();
    changed.await(() -> values.containsKey(key), timeoutNanos);
    byte[] value = values.get(key);
    if (value == null) {
      throw new DeviceException(
          Reason.TIMEOUT,
          thread.describe()
              + " waited "
              + Diagnosis.ms(timeoutNanos)
              + " for key '"
              + key
              + "' of the store, and no rank set it");
    }
    return value.clone();
  }

  @Override
  public long add(String key, long amount) {
    call();
    byte @Nullable [] before = values.get(key);
    long sum = (before == null ? 0 : ByteBuffer.wrap(before).getLong()) + amount;
    values.put(key, ByteBuffer.allocate(Long.BYTES).putLong(sum).array());
    changed.wake();
    return sum;
  }
}
