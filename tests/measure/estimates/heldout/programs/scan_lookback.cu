#include "timed.h"

constexpr int block = 256, per_thread = 8, tile = block * per_thread;
constexpr uint64_t partial = 1ull << 62, complete = 2ull << 62, value_mask = partial - 1;

// A scan in one pass: each tile waits until the tiles before it have published their sums.
extern "C" __global__ void scan_lookback_kernel(const uint32_t* in, uint32_t* out, uint64_t* states,
                                                unsigned* ticket) {
  __shared__ uint32_t values[tile];
  __shared__ uint32_t warp_sums[block / 32];
  __shared__ uint32_t shared_before;
  __shared__ unsigned shared_tile;
  if (threadIdx.x == 0) shared_tile = atomicAdd(ticket, 1u);
  __syncthreads();
  const unsigned mine = shared_tile;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int i = threadIdx.x; i < tile; i += block) values[i] = in[mine * tile + i];
  __syncthreads();
  uint32_t own[per_thread], sum = 0;
  for (int i = 0; i < per_thread; i++) own[i] = sum += values[threadIdx.x * per_thread + i];
  uint32_t inclusive = sum;
  for (int step = 1; step < 32; step *= 2) {
    const uint32_t other = __shfl_up_sync(0xffffffffu, inclusive, step);
    if (lane >= step) inclusive += other;
  }
  if (lane == 31) warp_sums[warp] = inclusive;
  __syncthreads();
  uint32_t before = inclusive - sum;
  for (int w = 0; w < warp; w++) before += warp_sums[w];

  if (threadIdx.x == block - 1) {
    volatile uint64_t* published = states;
    const uint32_t total = before + sum;
    published[mine] = (mine == 0 ? complete : partial) | total;
    uint32_t prefix = 0;
    for (int other = int(mine) - 1; other >= 0;) {
      const uint64_t state = published[other];
      if (state == 0) continue;
      prefix += uint32_t(state & value_mask);
      if (state >= complete) break;
      other--;
    }
    published[mine] = complete | (prefix + total);
    shared_before = prefix;
  }
  __syncthreads();
  before += shared_before;
  for (int i = 0; i < per_thread; i++) values[threadIdx.x * per_thread + i] = before + own[i];
  __syncthreads();
  for (int i = threadIdx.x; i < tile; i += block) out[mine * tile + i] = values[i];
}

int main() {
  const int size = 1 << 23, tiles = size / tile;
  Random random{13};
  std::vector<uint32_t> in(size);
  for (auto& value : in) value = random.below(100);
  uint32_t* d_in = upload(in);
  uint32_t* d_out = allocate<uint32_t>(size);
  uint64_t* d_states = allocate<uint64_t>(tiles);
  unsigned* d_ticket = allocate<unsigned>(1);
  const Shape shape{unsigned(tiles), block};
  const auto restore = [&] {
    check(cudaMemset(d_states, 0, tiles * sizeof(uint64_t)));
    check(cudaMemset(d_ticket, 0, sizeof(unsigned)));
  };
  const auto times = measure(restore, [&] {
    scan_lookback_kernel<<<shape.grid, shape.block>>>(d_in, d_out, d_states, d_ticket);
  });
  const auto out = download(d_out, size);
  uint32_t sum = 0;
  for (int i = 0; i < size; i++) expect(out[i] == (sum += in[i]));
  report("scan_lookback", "scan_lookback_kernel", shape, times, checksum(out));
}
