#include "timed.h"

__host__ __device__ inline int escape(float cx, float cy, int limit) {
  float x = 0, y = 0;
  int n = 0;
  while (n < limit && x * x + y * y <= 4.0f) {
    const float next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    n++;
  }
  return n;
}

extern "C" __global__ void mandelbrot_kernel(int* counts, int width, int height, int limit) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float cx = -2.2f + 3.2f * x / width, cy = -1.2f + 2.4f * y / height;
  counts[y * width + x] = escape(cx, cy, limit);
}

int main() {
  const int width = 1600, height = 1200, limit = 1000;
  int* d_counts = allocate<int>(width * height);
  const Shape shape{dim3(width / 16, height / 16), dim3(16, 16)};
  const auto times = measure(
      [] {},
      [&] { mandelbrot_kernel<<<shape.grid, shape.block>>>(d_counts, width, height, limit); });
  const auto counts = download(d_counts, width * height);
  // Far outside and far inside of the set no rounding matters.
  expect(counts[0] <= 2 && counts[600 * width + 1100] == limit);
  report("mandelbrot", "mandelbrot_kernel", shape, times, checksum(counts));
}
