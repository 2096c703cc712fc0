#include "timed.h"

__host__ __device__ inline int steps_to_one(uint64_t n) {
  int steps = 0;
  while (n != 1) {
    n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    steps++;
  }
  return steps;
}

extern "C" __global__ void collatz_kernel(int* steps, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) steps[i] = steps_to_one(i + 1);
}

int main() {
  const int count = 3000000;
  int* d_steps = allocate<int>(count);
  const Shape shape{blocks_for(count, 192), 192};
  const auto times =
      measure([] {}, [&] { collatz_kernel<<<shape.grid, shape.block>>>(d_steps, count); });
  const auto steps = download(d_steps, count);
  for (int i = 0; i < count; i += 1009) expect(steps[i] == steps_to_one(i + 1));
  report("collatz", "collatz_kernel", shape, times, checksum(steps));
}
