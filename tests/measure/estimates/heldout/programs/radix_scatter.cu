#include "timed.h"

constexpr int bits = 4, digits = 1 << bits, block = 256, warps = block / 32, rounds = 8;

// One stable pass: `starts[digit * gridDim.x + block]` says where a block's keys of a digit go.
extern "C" __global__ void radix_scatter_kernel(const uint32_t* in, const uint32_t* starts,
                                                uint32_t* out, int shift) {
  __shared__ uint32_t counts[warps][digits];
  __shared__ uint32_t next[digits];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x < digits) next[threadIdx.x] = starts[threadIdx.x * gridDim.x + blockIdx.x];
  for (int round = 0; round < rounds; round++) {
    const uint32_t key = in[(blockIdx.x * rounds + round) * block + threadIdx.x];
    const uint32_t digit = (key >> shift) & (digits - 1);
    if (threadIdx.x < warps * digits) (&counts[0][0])[threadIdx.x] = 0;
    __syncthreads();
    const uint32_t peers = __match_any_sync(0xffffffffu, digit);
    const uint32_t rank = __popc(peers & ((1u << lane) - 1));
    if (rank == 0) counts[warp][digit] = __popc(peers);
    __syncthreads();
    if (threadIdx.x < digits) {
      uint32_t sum = next[threadIdx.x];
      for (int w = 0; w < warps; w++) {
        const uint32_t count = counts[w][threadIdx.x];
        counts[w][threadIdx.x] = sum;
        sum += count;
      }
      next[threadIdx.x] = sum;
    }
    __syncthreads();
    out[counts[warp][digit] + rank] = key;
    __syncthreads();
  }
}

int main() {
  const int size = 1 << 23, tile = block * rounds, tiles = size / tile, shift = 8;
  Random random{11};
  std::vector<uint32_t> in(size), starts(size_t(digits) * tiles);
  for (auto& key : in) key = random.next();
  const auto digit = [&](uint32_t key) { return (key >> shift) & (digits - 1); };
  for (int i = 0; i < size; i++) starts[digit(in[i]) * size_t(tiles) + i / tile]++;
  uint32_t sum = 0;
  for (auto& start : starts) sum += std::exchange(start, sum);
  uint32_t* d_in = upload(in);
  uint32_t* d_starts = upload(starts);
  uint32_t* d_out = allocate<uint32_t>(size);
  const Shape shape{unsigned(tiles), block};
  const auto times = measure(
      [] {},
      [&] { radix_scatter_kernel<<<shape.grid, shape.block>>>(d_in, d_starts, d_out, shift); });
  const auto out = download(d_out, size);
  std::stable_sort(in.begin(), in.end(),
                   [&](uint32_t a, uint32_t b) { return digit(a) < digit(b); });
  expect(out == in);
  report("radix_scatter", "radix_scatter_kernel", shape, times, checksum(out));
}
