#include "timed.h"

extern "C" __global__ void pointer_chase_kernel(const uint32_t* next, uint32_t* last, int hops,
                                                uint32_t stride) {
  const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t at = thread * stride;
  for (int i = 0; i < hops; i++) at = next[at];
  last[thread] = at;
}

int main() {
  const uint32_t size = 1 << 24, threads = 132 * 64;
  const int hops = 1000;
  Random random{4};
  std::vector<uint32_t> next(size);
  std::iota(next.begin(), next.end(), 0u);
  // Sattolo's shuffle: one cycle through all elements.
  for (uint32_t i = size - 1; i > 0; i--) std::swap(next[i], next[random.below(i)]);
  uint32_t* d_next = upload(next);
  uint32_t* d_last = allocate<uint32_t>(threads);
  const uint32_t stride = size / threads;
  const Shape shape{132, 64};
  const auto times = measure(
      [] {},
      [&] { pointer_chase_kernel<<<shape.grid, shape.block>>>(d_next, d_last, hops, stride); });
  const auto last = download(d_last, threads);
  for (uint32_t t : {0u, 777u, threads - 1}) {
    uint32_t at = t * stride;
    for (int i = 0; i < hops; i++) at = next[at];
    expect(last[t] == at);
  }
  report("pointer_chase", "pointer_chase_kernel", shape, times, checksum(last));
}
