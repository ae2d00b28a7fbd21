package dev.eddyline.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eddyline.device.DeviceException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OptionsTest {
  @Test
  void defaults_are_one_rank_with_all_devices() {
    CudaOptions options = CudaOptions.defaults();

    assertThat(options.rank()).isZero();
    assertThat(options.worldSize()).isEqualTo(1);
    assertThat(options.devices()).isEmpty();
  }

  @Test
  void launchers_say_rank_size_and_device() {
    CudaOptions options =
        CudaOptions.of(Map.of("RANK", "3", "WORLD_SIZE", "8", "LOCAL_RANK", "1"), new LocalStore());

    assertThat(options.rank()).isEqualTo(3);
    assertThat(options.worldSize()).isEqualTo(8);
    assertThat(options.devices()).containsExactly(1);
  }

  @Test
  void wrong_options_say_what_is_wrong() {
    assertThatThrownBy(() -> CudaOptions.defaults().withRank(2, 2, new LocalStore()))
        .isInstanceOf(DeviceException.class)
        .hasMessage("rank 2 of a job of 2 ranks does not exist");
    assertThatThrownBy(() -> CudaOptions.of(Map.of("WORLD_SIZE", "2"), null))
        .hasMessage("a job of 2 ranks needs a store in which they meet");
    assertThatThrownBy(() -> CudaOptions.of(Map.of("RANK", "two"), null))
        .hasMessage("RANK is 'two' and should be a number");
    assertThatThrownBy(() -> CudaOptions.defaults().withDevices(0, 0))
        .hasMessageContaining("[0, 0] must be different numbers");
    assertThatThrownBy(() -> CudaOptions.defaults().withLaunchTimeoutNanos(0))
        .hasMessageContaining("leaves no time");
  }

  @Test
  void devices_must_be_visible() {
    assertThat(CudaPlatform.numbers(List.of(), 3)).containsExactly(0, 1, 2);
    assertThat(CudaPlatform.numbers(List.of(2, 0), 3)).containsExactly(2, 0);
    assertThatThrownBy(() -> CudaPlatform.numbers(List.of(4), 2))
        .hasMessage("device 4 is wanted, but only 0 to 1 are visible");
    assertThatThrownBy(() -> CudaPlatform.numbers(List.of(), 0))
        .hasMessageContaining("CUDA_VISIBLE_DEVICES");
  }
}
