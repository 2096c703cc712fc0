#include "timed.h"

constexpr int order = 14, entries = order * (order + 1) / 2;

// A small matrix per thread, its lower half in an array that loops index: local memory.
extern "C" __global__ void cholesky_local_kernel(const float* in, float* out, int count) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= count) return;
  float a[entries];
#pragma unroll 1
  for (int i = 0; i < entries; i++) a[i] = in[size_t(i) * count + thread];
#pragma unroll 1
  for (int j = 0; j < order; j++) {
    const int row_j = j * (j + 1) / 2;
    float pivot = a[row_j + j];
#pragma unroll 1
    for (int k = 0; k < j; k++) pivot -= a[row_j + k] * a[row_j + k];
    pivot = sqrtf(pivot);
    a[row_j + j] = pivot;
    const float scale = 1 / pivot;
#pragma unroll 1
    for (int i = j + 1; i < order; i++) {
      const int row_i = i * (i + 1) / 2;
      float sum = a[row_i + j];
#pragma unroll 1
      for (int k = 0; k < j; k++) sum -= a[row_i + k] * a[row_j + k];
      a[row_i + j] = sum * scale;
    }
  }
#pragma unroll 1
  for (int i = 0; i < entries; i++) out[size_t(i) * count + thread] = a[i];
}

int main() {
  const int count = 1 << 16;
  Random random{49};
  std::vector<float> in(size_t(entries) * count);
  for (int t = 0; t < count; t++) {
    for (int i = 0; i < order; i++) {
      for (int j = 0; j <= i; j++) {
        in[size_t(i * (i + 1) / 2 + j) * count + t] =
            i == j ? order + random.unit() : random.unit();
      }
    }
  }
  float* d_in = upload(in);
  float* d_out = allocate<float>(in.size());
  const Shape shape{count / 128, 128};
  const auto times = measure(
      [] {}, [&] { cholesky_local_kernel<<<shape.grid, shape.block>>>(d_in, d_out, count); });
  const auto out = download(d_out, in.size());
  for (int t = 0; t < count; t += 509) {
    for (int i = 0; i < order; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = 0;
        for (int k = 0; k <= j; k++) {
          sum += double(out[size_t(i * (i + 1) / 2 + k) * count + t]) *
                 out[size_t(j * (j + 1) / 2 + k) * count + t];
        }
        expect(near(sum, in[size_t(i * (i + 1) / 2 + j) * count + t], 1e-4));
      }
    }
  }
  report("cholesky_local", "cholesky_local_kernel", shape, times, checksum(out));
}
