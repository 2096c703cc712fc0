#include "timed.h"

constexpr int tile = 2048;

extern "C" __global__ void bitonic_shared_kernel(const uint32_t* in, uint32_t* out) {
  __shared__ uint32_t keys[tile];
  const int base = blockIdx.x * tile;
  for (int i = threadIdx.x; i < tile; i += blockDim.x) keys[i] = in[base + i];
  for (int length = 2; length <= tile; length *= 2) {
    for (int stride = length / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const int low = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      const int high = low + stride;
      const bool ascending = (low & length) == 0;
      const uint32_t a = keys[low], b = keys[high];
      if ((a > b) == ascending) {
        keys[low] = b;
        keys[high] = a;
      }
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < tile; i += blockDim.x) out[base + i] = keys[i];
}

int main() {
  const int tiles = 2048;
  Random random{9};
  std::vector<uint32_t> in(size_t(tiles) * tile);
  for (auto& key : in) key = random.next();
  uint32_t* d_in = upload(in);
  uint32_t* d_out = allocate<uint32_t>(in.size());
  const Shape shape{tiles, tile / 2};
  const auto times =
      measure([] {}, [&] { bitonic_shared_kernel<<<shape.grid, shape.block>>>(d_in, d_out); });
  const auto out = download(d_out, in.size());
  for (int t : {0, 100, tiles - 1}) {
    std::sort(in.begin() + t * tile, in.begin() + (t + 1) * tile);
    expect(std::equal(in.begin() + t * tile, in.begin() + (t + 1) * tile, out.begin() + t * tile));
  }
  report("bitonic_shared", "bitonic_shared_kernel", shape, times, checksum(out));
}
