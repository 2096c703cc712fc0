#include "timed.h"

constexpr int order = 4;
constexpr uint32_t modulus = 998244353;

struct Matrix {
  uint32_t at[order][order];
};

__host__ __device__ inline Matrix multiply(const Matrix& a, const Matrix& b) {
  Matrix c;
#pragma unroll
  for (int i = 0; i < order; i++) {
#pragma unroll
    for (int j = 0; j < order; j++) {
      uint64_t sum = 0;
#pragma unroll
      for (int m = 0; m < order; m++) sum += uint64_t(a.at[i][m]) * b.at[m][j];
      c.at[i][j] = uint32_t(sum % modulus);
    }
  }
  return c;
}

// The trace of a companion matrix raised to a power: a term of a linear recurrence.
__host__ __device__ inline uint32_t term(uint32_t seed, uint32_t exponent) {
  Matrix base{}, power{};
  for (int i = 0; i < order; i++) {
    base.at[0][i] = (seed >> i) % 1000 + 1;
    if (i > 0) base.at[i][i - 1] = 1;
    power.at[i][i] = 1;
  }
  while (exponent != 0) {
    if (exponent & 1) power = multiply(power, base);
    base = multiply(base, base);
    exponent >>= 1;
  }
  uint64_t trace = 0;
  for (int i = 0; i < order; i++) trace += power.at[i][i];
  return uint32_t(trace % modulus);
}

extern "C" __global__ void matrix_power_kernel(const uint2* tasks, uint32_t* terms, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) terms[i] = term(tasks[i].x, tasks[i].y);
}

int main() {
  const int count = 1 << 18;
  Random random{34};
  std::vector<uint2> tasks(count);
  for (auto& task : tasks) task = make_uint2(random.next(), random.next() >> random.below(24));
  uint2* d_tasks = upload(tasks);
  uint32_t* d_terms = allocate<uint32_t>(count);
  const Shape shape{count / 128, 128};
  const auto times = measure(
      [] {}, [&] { matrix_power_kernel<<<shape.grid, shape.block>>>(d_tasks, d_terms, count); });
  const auto terms = download(d_terms, count);
  for (int i = 0; i < count; i += 509) expect(terms[i] == term(tasks[i].x, tasks[i].y));
  report("matrix_power", "matrix_power_kernel", shape, times, checksum(terms));
}
