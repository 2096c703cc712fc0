#include "timed.h"

// One long chain of dependent double-precision operations per thread, in few warps.
__host__ __device__ inline double iterate(double x, int steps) {
  for (int i = 0; i < steps; i++) x = 3.99 * fma(-x, x, x);
  return x;
}

extern "C" __global__ void logistic_chain_kernel(const double* starts, double* ends, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  ends[i] = iterate(starts[i], steps);
}

int main() {
  const int threads = 132 * 32, steps = 30000;
  Random random{53};
  std::vector<double> starts(threads);
  for (auto& start : starts) start = 0.1 + 0.8 * random.unit();
  double* d_starts = upload(starts);
  double* d_ends = allocate<double>(threads);
  const Shape shape{132, 32};
  const auto times = measure(
      [] {}, [&] { logistic_chain_kernel<<<shape.grid, shape.block>>>(d_starts, d_ends, steps); });
  const auto ends = download(d_ends, threads);
  for (int i = 0; i < threads; i += 251) expect(ends[i] == iterate(starts[i], steps));
  report("logistic_chain", "logistic_chain_kernel", shape, times, checksum(ends));
}
