// The kernels on HIP-CPU, which is a library of headers: emulator_speed.py --hip-cpu compiles this.

#include <hip/hip_runtime.h>

#include <cstdlib>

#include "kernels.h"
#include "problem.h"

namespace {

void launch(const Problem& problem, const void* in, void* out) {
  if (problem.name == "matmul") {
    const auto* a = static_cast<const float*>(in);
    hipLaunchKernelGGL(matmul_kernel, dim3(matmul_n / 16, matmul_n / 16), dim3(16, 16), 0, nullptr,
                       a, a + matmul_n * matmul_n, static_cast<float*>(out), matmul_n);
  } else if (problem.name == "nearest") {
    hipLaunchKernelGGL(nearest_kernel, dim3(nearest_n / 128), dim3(128), 0, nullptr,
                       static_cast<const float3*>(in), static_cast<int*>(out), nearest_n);
  } else if (problem.name == "reduction") {
    hipLaunchKernelGGL(reduction_kernel, dim3(reduction_n / 512), dim3(256), 0, nullptr,
                       static_cast<const int*>(in), static_cast<int*>(out));
  } else {
    hipLaunchKernelGGL(transpose_kernel, dim3(transpose_n / 32, transpose_n / 32), dim3(32, 8), 0,
                       nullptr, static_cast<const float*>(in), static_cast<float*>(out),
                       transpose_n);
  }
  if (hipDeviceSynchronize() != hipSuccess) std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const Problem problem = make_problem(argv[1]);
  Bytes result(problem.out_bytes);
  void* in = nullptr;
  void* out = nullptr;
  if (hipMalloc(&in, problem.in.size()) != hipSuccess) return 1;
  if (hipMalloc(&out, result.size()) != hipSuccess) return 1;
  if (hipMemcpy(in, problem.in.data(), problem.in.size(), hipMemcpyHostToDevice) != hipSuccess) {
    return 1;
  }
  const double seconds = time_launch(std::atof(argv[2]), [&] { launch(problem, in, out); });
  if (hipMemcpy(result.data(), out, result.size(), hipMemcpyDeviceToHost) != hipSuccess) return 1;
  print_result(seconds, result);
}
