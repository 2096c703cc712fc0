#include "timed.h"

constexpr int block = 256, per_thread = 8, tile = block * per_thread;

// Inclusive sums within each tile, and the tile's total.
extern "C" __global__ void scan_blocks_kernel(const int4* in, int4* out, int* totals) {
  __shared__ int warp_sums[block / 32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int at = (blockIdx.x * block + threadIdx.x) * 2;
  int4 a = in[at], b = in[at + 1];
  a.y += a.x, a.z += a.y, a.w += a.z;
  b.x += a.w, b.y += b.x, b.z += b.y, b.w += b.z;
  int sum = b.w;
  for (int step = 1; step < 32; step *= 2) {
    const int other = __shfl_up_sync(0xffffffffu, sum, step);
    if (lane >= step) sum += other;
  }
  if (lane == 31) warp_sums[warp] = sum;
  __syncthreads();
  int before = sum - b.w;
  for (int w = 0; w < warp; w++) before += warp_sums[w];
  a.x += before, a.y += before, a.z += before, a.w += before;
  b.x += before, b.y += before, b.z += before, b.w += before;
  out[at] = a;
  out[at + 1] = b;
  if (threadIdx.x == block - 1) totals[blockIdx.x] = b.w;
}

int main() {
  const int size = 1 << 25, tiles = size / tile;
  Random random{12};
  std::vector<int> in(size);
  for (int& value : in) value = int(random.below(100));
  int* d_in = upload(in);
  int* d_out = allocate<int>(size);
  int* d_totals = allocate<int>(tiles);
  const Shape shape{unsigned(tiles), block};
  const auto times =
      measure([] {},
              [&] {
                scan_blocks_kernel<<<shape.grid, shape.block>>>(
                    reinterpret_cast<const int4*>(d_in), reinterpret_cast<int4*>(d_out), d_totals);
              });
  const auto out = download(d_out, size);
  const auto totals = download(d_totals, tiles);
  for (int t = 0; t < tiles; t++) {
    int sum = 0;
    for (int i = t * tile; i < (t + 1) * tile; i++) expect(out[i] == (sum += in[i]));
    expect(totals[t] == sum);
  }
  report("scan_blocks", "scan_blocks_kernel", shape, times, checksum(out));
}
