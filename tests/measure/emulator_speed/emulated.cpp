// The kernels on the emulator. It is linked with a fast or a checked build; the latter's own word
// says how much is observed.

#include <cstdlib>

#include "launches.h"
#include "problem.h"

#ifdef CHECKED
#include "emulator/observer/observer.h"
#include "report/report.h"
#endif

namespace {

void launch(const Problem& problem, const void* in, void* out) {
  if (problem.name == "matmul") {
    const auto* a = static_cast<const float*>(in);
    matmul(a, a + matmul_n * matmul_n, static_cast<float*>(out), matmul_n);
  } else if (problem.name == "nearest") {
    nearest(static_cast<const float3*>(in), static_cast<int*>(out), nearest_n);
  } else if (problem.name == "reduction") {
    reduction(static_cast<const int*>(in), static_cast<int*>(out), reduction_n);
  } else {
    transpose(static_cast<const float*>(in), static_cast<float*>(out), transpose_n);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const Problem problem = make_problem(argv[1]);
  Bytes result(problem.out_bytes);
  void* in = nullptr;
  void* out = nullptr;
  if (cudaMalloc(&in, problem.in.size()) != cudaSuccess) return 1;
  if (cudaMalloc(&out, result.size()) != cudaSuccess) return 1;
  if (cudaMemcpy(in, problem.in.data(), problem.in.size(), cudaMemcpyHostToDevice) != cudaSuccess) {
    return 1;
  }
#ifdef CHECKED
  using namespace tilelab::emulator;
  ObserverOptions options;
  const bool counts = argc > 3 && std::strcmp(argv[3], "counts") == 0;
  options.detail = counts ? tilelab::Detail::counts : tilelab::Detail::everything;
#endif
  const double seconds = time_launch(std::atof(argv[2]), [&] {
#ifdef CHECKED
    observe_program(options);
    launch(problem, in, out);
    take_report();
#else
    launch(problem, in, out);
#endif
  });
  if (cudaMemcpy(result.data(), out, result.size(), cudaMemcpyDeviceToHost) != cudaSuccess) {
    return 1;
  }
  print_result(seconds, result);
}
