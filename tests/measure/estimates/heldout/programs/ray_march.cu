#include "timed.h"

__device__ inline float length3(float x, float y, float z) { return sqrtf(x * x + y * y + z * z); }

// Spheres on a lattice, a torus, and the ground.
__device__ inline float scene(float x, float y, float z) {
  const float lx = x - 2 * rintf(x / 2), lz = z - 2 * rintf(z / 2);
  const float spheres = length3(lx, y - 0.2f, lz) - 0.4f;
  const float ring = sqrtf(x * x + (z - 6) * (z - 6)) - 3;
  const float torus = sqrtf(ring * ring + (y - 1.5f) * (y - 1.5f)) - 0.3f;
  return fminf(fminf(spheres, torus), y + 0.5f);
}

extern "C" __global__ void ray_march_kernel(float* depths, int* counts, int width, int height) {
  const int px = blockIdx.x * blockDim.x + threadIdx.x;
  const int py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  float dx = (px - width / 2) / float(height), dy = (height / 2 - py) / float(height), dz = 1;
  const float scale = rsqrtf(dx * dx + dy * dy + dz * dz);
  dx *= scale, dy *= scale, dz *= scale;
  float depth = 0;
  int steps = 0;
  while (steps < 256 && depth < 60) {
    const float distance = scene(dx * depth, 1 + dy * depth, dz * depth - 2);
    if (distance < 0.001f * depth + 0.0001f) break;
    depth += 0.8f * distance;
    steps++;
  }
  depths[py * width + px] = depth;
  counts[py * width + px] = steps;
}

int main() {
  const int width = 1920, height = 1080;
  float* d_depths = allocate<float>(width * height);
  int* d_counts = allocate<int>(width * height);
  const Shape shape{dim3(width / 8, height / 8), dim3(8, 8)};
  const auto times = measure(
      [] {},
      [&] { ray_march_kernel<<<shape.grid, shape.block>>>(d_depths, d_counts, width, height); });
  const auto depths = download(d_depths, width * height);
  // The top row looks at the sky; every ray of the bottom row hits something near.
  for (int x = 0; x < width; x++) {
    expect(depths[x] > 1 && depths[(height - 1) * width + x] < 5);
  }
  report("ray_march", "ray_march_kernel", shape, times, checksum(depths));
}
