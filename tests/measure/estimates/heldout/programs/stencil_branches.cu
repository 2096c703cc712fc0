#include "timed.h"

enum Material : uint8_t { insulator, metal, fuel };

__host__ __device__ inline float advance(float own, float neighbors, int material) {
  if (material == insulator) return own;
  float next = own + 0.2f * (neighbors - 4 * own);
  if (material == fuel) {
    // The hotter a cell is, the more reactions it has in a step.
    for (float heat = next; heat > 0.25f; heat *= 0.75f) next += 0.001f * heat / (1 + heat * heat);
  }
  return next;
}

extern "C" __global__ void stencil_branches_kernel(const float* in, const uint8_t* materials,
                                                   float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int at = y * width + x;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    out[at] = in[at];
    return;
  }
  const float neighbors = in[at - 1] + in[at + 1] + in[at - width] + in[at + width];
  out[at] = advance(in[at], neighbors, materials[at]);
}

int main() {
  const int width = 3000, height = 2000;
  Random random{29};
  std::vector<float> in(width * height);
  std::vector<uint8_t> materials(in.size());
  for (auto& heat : in) heat = 40 * random.unit() * random.unit() * random.unit();
  for (auto& material : materials) {
    const uint32_t die = random.below(10);
    material = die < 3 ? insulator : die < 8 ? metal : fuel;
  }
  float* d_in = upload(in);
  uint8_t* d_materials = upload(materials);
  float* d_out = allocate<float>(in.size());
  const Shape shape{dim3(blocks_for(width, 32), blocks_for(height, 4)), dim3(32, 4)};
  const auto times = measure([] {},
                             [&] {
                               stencil_branches_kernel<<<shape.grid, shape.block>>>(
                                   d_in, d_materials, d_out, width, height);
                             });
  const auto out = download(d_out, in.size());
  for (int y = 1; y < height - 1; y += 17) {
    for (int x = 1; x < width - 1; x += 11) {
      const int at = y * width + x;
      const float neighbors = in[at - 1] + in[at + 1] + in[at - width] + in[at + width];
      expect(near(out[at], advance(in[at], neighbors, materials[at]), 2e-3));
    }
  }
  report("stencil_branches", "stencil_branches_kernel", shape, times, checksum(out));
}
