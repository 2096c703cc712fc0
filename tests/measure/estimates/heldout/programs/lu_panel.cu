#include "timed.h"

constexpr int rows = 128, columns = 32, pitch = columns + 1;

// LU with partial pivoting of one panel per block, in shared memory.
extern "C" __global__ void lu_panel_kernel(const float* in, float* out, int* pivots) {
  extern __shared__ float panel[];
  __shared__ int shared_pivot;
  const float* source = in + size_t(blockIdx.x) * rows * columns;
  for (int i = threadIdx.x; i < rows * columns; i += blockDim.x) {
    panel[i / columns * pitch + i % columns] = source[i];
  }
  for (int k = 0; k < columns; k++) {
    __syncthreads();
    if (threadIdx.x < 32) {
      float best = -1;
      int at = k;
      for (int r = k + threadIdx.x; r < rows; r += 32) {
        const float size = fabsf(panel[r * pitch + k]);
        if (size > best) best = size, at = r;
      }
      for (int step = 16; step > 0; step /= 2) {
        const float other = __shfl_xor_sync(0xffffffffu, best, step);
        const int other_at = __shfl_xor_sync(0xffffffffu, at, step);
        if (other > best || (other == best && other_at < at)) best = other, at = other_at;
      }
      if (threadIdx.x == 0) {
        shared_pivot = at;
        pivots[blockIdx.x * columns + k] = at;
      }
    }
    __syncthreads();
    const int pivot = shared_pivot;
    if (pivot != k && threadIdx.x < columns) {
      const float swapped = panel[k * pitch + threadIdx.x];
      panel[k * pitch + threadIdx.x] = panel[pivot * pitch + threadIdx.x];
      panel[pivot * pitch + threadIdx.x] = swapped;
    }
    __syncthreads();
    for (int r = k + 1 + threadIdx.x; r < rows; r += blockDim.x) {
      const float factor = panel[r * pitch + k] / panel[k * pitch + k];
      panel[r * pitch + k] = factor;
      for (int c = k + 1; c < columns; c++) panel[r * pitch + c] -= factor * panel[k * pitch + c];
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < rows * columns; i += blockDim.x) {
    out[size_t(blockIdx.x) * rows * columns + i] = panel[i / columns * pitch + i % columns];
  }
}

int main() {
  const int panels = 1056;
  Random random{19};
  std::vector<float> in(size_t(panels) * rows * columns);
  for (auto& value : in) value = random.unit() - 0.5f;
  float* d_in = upload(in);
  float* d_out = allocate<float>(in.size());
  int* d_pivots = allocate<int>(panels * columns);
  const Shape shape{panels, 128, rows * pitch * sizeof(float)};
  const auto times = measure(
      [] {},
      [&] { lu_panel_kernel<<<shape.grid, shape.block, shape.shared>>>(d_in, d_out, d_pivots); });
  const auto out = download(d_out, in.size());
  const auto pivots = download(d_pivots, panels * columns);
  // L times U must be the panel with its rows exchanged.
  for (int p : {0, 500, panels - 1}) {
    float* panel = &in[size_t(p) * rows * columns];
    const float* lu = &out[size_t(p) * rows * columns];
    for (int k = 0; k < columns; k++) {
      const int pivot = pivots[p * columns + k];
      std::swap_ranges(panel + k * columns, panel + (k + 1) * columns, panel + pivot * columns);
    }
    for (int r = 0; r < rows; r += 5) {
      for (int c = 0; c < columns; c += 3) {
        double sum = 0;
        for (int k = 0; k <= std::min(r, c); k++) {
          sum += (k == r ? 1.0 : lu[r * columns + k]) * lu[k * columns + c];
        }
        expect(near(panel[r * columns + c], sum, 1e-4));
      }
    }
  }
  report("lu_panel", "lu_panel_kernel", shape, times, checksum(out));
}
