#include "timed.h"

extern "C" __global__ void histogram_shared_kernel(const uint32_t* words, int count,
                                                   unsigned* bins) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const uint32_t word = words[i];
    for (int byte = 0; byte < 4; byte++) atomicAdd(&local[(word >> (8 * byte)) & 255], 1u);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

int main() {
  const int words = 1 << 23;
  Random random{15};
  std::vector<uint32_t> in(words);
  std::vector<unsigned> wanted(256);
  // A smooth image: neighbors have nearly the same gray, so a warp's threads often share a bin.
  int gray = 128;
  for (auto& word : in) {
    for (int byte = 0; byte < 4; byte++) {
      if (random.below(8) == 0) gray = std::clamp(gray + int(random.below(9)) - 4, 0, 255);
      word |= uint32_t(gray) << (8 * byte);
      wanted[gray]++;
    }
  }
  uint32_t* d_in = upload(in);
  unsigned* d_bins = allocate<unsigned>(256);
  const Shape shape{132 * 8, 256};
  const auto restore = [&] { check(cudaMemset(d_bins, 0, 256 * sizeof(unsigned))); };
  const auto times = measure(
      restore, [&] { histogram_shared_kernel<<<shape.grid, shape.block>>>(d_in, words, d_bins); });
  const auto bins = download(d_bins, 256);
  expect(bins == wanted);
  report("histogram_shared", "histogram_shared_kernel", shape, times, checksum(bins));
}
