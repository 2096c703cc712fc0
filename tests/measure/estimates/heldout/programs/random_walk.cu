#include "timed.h"

constexpr int radius = 24, limit = 8192;

// Steps of a walk on the lattice until it leaves the disk.
__host__ __device__ inline int walk(uint32_t state) {
  int x = 0, y = 0, steps = 0;
  while (x * x + y * y < radius * radius && steps < limit) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    const int sign = state & 0x10000 ? 1 : -1;
    if (state & 0x400) {
      x += sign;
    } else {
      y += sign;
    }
    steps++;
  }
  return steps;
}

extern "C" __global__ void random_walk_kernel(const uint32_t* seeds, int* steps, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) steps[i] = walk(seeds[i]);
}

int main() {
  const int count = 1 << 19;
  Random random{16};
  std::vector<uint32_t> seeds(count);
  for (auto& seed : seeds) seed = random.next() | 1;
  uint32_t* d_seeds = upload(seeds);
  int* d_steps = allocate<int>(count);
  const Shape shape{count / 128, 128};
  const auto times = measure(
      [] {}, [&] { random_walk_kernel<<<shape.grid, shape.block>>>(d_seeds, d_steps, count); });
  const auto steps = download(d_steps, count);
  for (int i = 0; i < count; i += 1009) expect(steps[i] == walk(seeds[i]));
  report("random_walk", "random_walk_kernel", shape, times, checksum(steps));
}
