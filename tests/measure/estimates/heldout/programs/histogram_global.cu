#include "timed.h"

extern "C" __global__ void histogram_global_kernel(const uint32_t* words, int count,
                                                   unsigned* bins) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const uint32_t word = words[i];
    for (int byte = 0; byte < 4; byte++) atomicAdd(&bins[(word >> (8 * byte)) & 255], 1u);
  }
}

int main() {
  const int words = 1 << 20;
  Random random{14};
  std::vector<uint32_t> in(words);
  std::vector<unsigned> wanted(256);
  for (auto& word : in) {
    for (int byte = 0; byte < 4; byte++) {
      // The product of two makes the low bins the frequent ones.
      const uint32_t value = random.below(256) * random.below(256) / 256;
      word |= value << (8 * byte);
      wanted[value]++;
    }
  }
  uint32_t* d_in = upload(in);
  unsigned* d_bins = allocate<unsigned>(256);
  const Shape shape{132 * 4, 256};
  const auto restore = [&] { check(cudaMemset(d_bins, 0, 256 * sizeof(unsigned))); };
  const auto times = measure(
      restore, [&] { histogram_global_kernel<<<shape.grid, shape.block>>>(d_in, words, d_bins); });
  const auto bins = download(d_bins, 256);
  expect(bins == wanted);
  report("histogram_global", "histogram_global_kernel", shape, times, checksum(bins));
}
