package dev.eddyline.cuda;

import dev.eddyline.device.DeviceException;
import dev.eddyline.device.DeviceException.Reason;
import dev.eddyline.device.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A store of processes on one machine: a file for each key. */
final class FileStore implements Store {
  private final Path folder;

  FileStore(Path folder) {
    this.folder = folder;
  }

  private Path file(String key) {
    return folder.resolve(key.replace('/', '_'));
  }

  @Override
  public void set(String key, byte[] value) {
    try {
      Path part = Files.createTempFile(folder, "part", "");
      Files.write(part, value);
      Files.move(part, file(key), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public byte[] get(String key, long timeoutNanos) {
    long start = System.nanoTime();
    do {
      try {
        if (Files.exists(file(key))) {
          return Files.readAllBytes(file(key));
        }
        Thread.sleep(1);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    } while (System.nanoTime() - start < timeoutNanos);
    throw new DeviceException(Reason.TIMEOUT, "no rank set '" + key + "'");
  }

  @Override
  public long add(String key, long amount) {
    throw new UnsupportedOperationException();
  }
}
