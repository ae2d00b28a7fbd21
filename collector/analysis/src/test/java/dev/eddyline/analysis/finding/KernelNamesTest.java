package dev.eddyline.analysis.finding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class KernelNamesTest {
  static Stream<Arguments> names() {
    return Stream.of(
        Arguments.of(
            "void at::native::vectorized_elementwise_kernel<4, at::native::BUnaryFunctor<float,"
                + " float, float, at::native::binary_internal::MulFunctor<float> >,"
                + " std::array<char*, 2ul> >(int, at::native::BUnaryFunctor<float, float, float,"
                + " at::native::binary_internal::MulFunctor<float> >, std::array<char*, 2ul>)",
            "vectorized_elementwise_kernel<4, BUnaryFunctor<float, float, float,"
                + " MulFunctor<float>>>"),
        Arguments.of(
            "sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize256x128x8_stage3_warpsize4x2x1_ffma",
            "sm80_xmma_gemm_f32f32_f32f32_f32_nn_n"),
        Arguments.of(
            "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
            "ncclDevKernel_AllReduce_Sum_f32_RING_LL"),
        Arguments.of("Memcpy HtoD (Pageable -> Device)", "Memcpy HtoD (Pageable -> Device)"),
        Arguments.of("Memset (Device)", "Memset (Device)"),
        Arguments.of("gemm", "gemm"),
        Arguments.of(
            "void at::native::elementwise_kernel<128, 2,"
                + " at::native::gpu_kernel_impl_nocast<at::native::direct_copy_kernel_cuda("
                + "at::TensorIteratorBase&)::{lambda()#3}::operator()() const::{lambda()#7}"
                + "::operator()() const::{lambda(float)#1}>(at::TensorIteratorBase&,"
                + " at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}"
                + "::operator()() const::{lambda(float)#1} const&)::{lambda(int)#1}>(int)",
            "elementwise_kernel<128, 2, gpu_kernel_impl_nocast<direct_copy_kernel_cuda>>"),
        Arguments.of(
            "void (anonymous namespace)::softmax_warp_forward<float, float, float, 10, true,"
                + " false>(float*, float const*, int)",
            "softmax_warp_forward<float, float, float, 10, true, false>"),
        Arguments.of("std::enable_if<true, void>::type ns::kernel<(int)4>(int)", "kernel<4>"),
        Arguments.of("my_kernel(float*, unsigned int) [clone .kd]", "my_kernel"),
        Arguments.of(
            "void cub::Kernel<unsigned long, float const*>(cub::Args)",
            "Kernel<unsigned long, float const*>"));
  }

  @ParameterizedTest
  @MethodSource("names")
  void keepsWhatTellsKernelsApart(String name, String shortened) {
    assertThat(KernelNames.shorten(name)).isEqualTo(shortened);
  }

  @ParameterizedTest
  @ValueSource(strings = {"void a<b<c", "a(b", "", "f<", "::", "<>", "a::b<c>>(d)"})
  void leavesWhatDoesNotParse(String name) {
    assertThat(KernelNames.shorten(name)).isNotNull();
  }

  @Test
  void leavesWhatNestsTooDeep() {
    String name = "a<".repeat(1_000_000);

    assertThat(KernelNames.shorten(name)).isSameAs(name);
  }
}
