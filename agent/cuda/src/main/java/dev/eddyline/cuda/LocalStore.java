package dev.eddyline.cuda;

import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Store;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The store of ranks that are threads of one JVM. */
public final class LocalStore implements Store {
  private final Map<String, byte[]> values = new HashMap<>();

  @Override
  public synchronized void set(String key, byte[] value) {
    values.put(key, value.clone());
    notifyAll();
  }

  @Override
  public synchronized byte[] get(String key, long timeoutNanos) {
    long start = System.nanoTime();
    byte[] value = values.get(key);
    while (value == null) {
      long left = timeoutNanos - (System.nanoTime() - start);
      if (left <= 0) {
        throw new DeviceException(
            Reason.TIMEOUT, "no rank set '" + key + "' within " + timeoutNanos / 1_000_000 + " ms");
      }
      try {
        // At least a millisecond: 0 would mean for ever.
        wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new DeviceException(Reason.TIMEOUT, "interrupted while waiting for '" + key + "'", e);
      }
      value = values.get(key);
    }
    return value.clone();
  }

  @Override
  public synchronized long add(String key, long amount) {
    byte[] before = values.get(key);
    long sum =
        amount
            + (before == null ? 0 : Long.parseLong(new String(before, StandardCharsets.US_ASCII)));
    set(key, Long.toString(sum).getBytes(StandardCharsets.US_ASCII));
    return sum;
  }
}
