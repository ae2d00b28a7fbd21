package dev.eddyline.trace;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;

/** zstd through zstd-jni. Loading this class fails where that is not there. */
final class ZstdJni implements Compressor {
  private final ZstdCompressCtx context;

  ZstdJni(int level) {
    context = new ZstdCompressCtx();
    context.setLevel(level).setChecksum(false).setContentSize(true);
  }

  @Override
  public int bound(int contentLength) {
    return (int) Zstd.compressBound(contentLength);
  }

  @Override
  public int compress(byte[] content, int length, byte[] target, int at) {
    return context.compressByteArray(target, at, target.length - at, content, 0, length);
  }

  @Override
  public boolean isRaw() {
    return false;
  }

  @Override
  public void close() {
    context.close();
  }
}
