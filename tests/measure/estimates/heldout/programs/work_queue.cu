#include "timed.h"

__host__ __device__ inline uint32_t smallest_factor(uint32_t n) {
  for (uint32_t d = 3; d * d <= n; d += 2) {
    if (n % d == 0) return d;
  }
  return n;
}

// Persistent threads take one task after another from a common counter.
extern "C" __global__ void work_queue_kernel(const uint32_t* numbers, uint32_t* factors, int count,
                                             int* next) {
  while (true) {
    const int task = atomicAdd(next, 1);
    if (task >= count) return;
    factors[task] = smallest_factor(numbers[task]);
  }
}

int main() {
  const int count = 1 << 20;
  Random random{52};
  std::vector<uint32_t> numbers(count);
  for (auto& number : numbers) number = random.below(1u << 20) | 1;
  uint32_t* d_numbers = upload(numbers);
  uint32_t* d_factors = allocate<uint32_t>(count);
  int* d_next = allocate<int>(1);
  const Shape shape{132 * 4, 256};
  const auto restore = [&] { check(cudaMemset(d_next, 0, sizeof(int))); };
  const auto times = measure(restore, [&] {
    work_queue_kernel<<<shape.grid, shape.block>>>(d_numbers, d_factors, count, d_next);
  });
  const auto factors = download(d_factors, count);
  for (int i = 0; i < count; i += 101) expect(factors[i] == smallest_factor(numbers[i]));
  report("work_queue", "work_queue_kernel", shape, times, checksum(factors));
}
