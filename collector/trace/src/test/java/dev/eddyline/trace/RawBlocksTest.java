package dev.eddyline.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.luben.zstd.Zstd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RawBlocksTest {
  private static byte[] content(int size) {
    byte[] content = new byte[size];
    new Random(size).nextBytes(content);
    return content;
  }

  private static byte[] frame(byte[] content) {
    RawBlocks raw = new RawBlocks();
    byte[] target = new byte[raw.bound(content.length) + 3];
    int length = raw.compress(content, content.length, target, 3);
    assertThat(length).isLessThanOrEqualTo(raw.bound(content.length));
    return Arrays.copyOfRange(target, 3, 3 + length);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 255, 131071, 131072, 131073, 400000})
  void zstdJniExpandsThem(int size) {
    byte[] content = content(size);
    byte[] frame = frame(content);

    assertThat(Zstd.getFrameContentSize(frame)).isEqualTo(size);
    byte[] expanded = new byte[size];
    assertThat(Zstd.decompressByteArray(expanded, 0, size, frame, 0, frame.length)).isEqualTo(size);
    assertThat(expanded).isEqualTo(content);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 255, 131071, 131072, 131073, 400000})
  void expandThemselves(int size) {
    byte[] content = content(size);
    byte[] frame = frame(content);

    byte[] expanded = new byte[size];
    assertThat(RawBlocks.expand(frame, frame.length, expanded, size)).isTrue();
    assertThat(expanded).isEqualTo(content);
  }

  @Test
  void refuseWhatTheyDidNotMake() {
    byte[] frame = frame(content(1000));
    byte[] expanded = new byte[1001];
    assertThat(RawBlocks.expand(frame, frame.length, expanded, 1001)).isFalse();
    for (int length = 0; length < frame.length; length++) {
      assertThat(RawBlocks.expand(frame, length, expanded, 1000)).isFalse();
    }
    byte[] compressed = Zstd.compress(new byte[1000]);
    assertThat(RawBlocks.expand(compressed, compressed.length, expanded, 1000)).isFalse();
  }

  @Test
  void theZstdCommandExpandsThem(@TempDir Path folder) throws Exception {
    assumeTrue(hasZstd(), "needs the zstd command");
    byte[] content = content(300_000);
    Path file = folder.resolve("raw.zst");
    Files.write(file, frame(content));

    Process zstd = new ProcessBuilder("zstd", "-q", "-d", "-f", file.toString()).start();

    assertThat(zstd.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(zstd.exitValue()).isZero();
    assertThat(folder.resolve("raw")).hasBinaryContent(content);
  }

  static boolean hasZstd() throws InterruptedException {
    try {
      return new ProcessBuilder("zstd", "-V").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
