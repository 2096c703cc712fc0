#include "timed.h"

__host__ __device__ inline float sample(const float* image, int width, int height, float x,
                                        float y) {
  x = fminf(fmaxf(x, 0.0f), width - 1.001f);
  y = fminf(fmaxf(y, 0.0f), height - 1.001f);
  const int left = int(x), top = int(y);
  const float fx = x - left, fy = y - top;
  const float* at = image + top * width + left;
  return (1 - fy) * ((1 - fx) * at[0] + fx * at[1]) +
         fy * ((1 - fx) * at[width] + fx * at[width + 1]);
}

// Each pixel comes from where the flow says, between four pixels.
extern "C" __global__ void flow_warp_kernel(const float* image, const float2* flow, float* out,
                                            int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float2 shift = flow[y * width + x];
  out[y * width + x] = sample(image, width, height, x + shift.x, y + shift.y);
}

int main() {
  const int width = 3840, height = 2160;
  Random random{46};
  std::vector<float> image(width * height);
  std::vector<float2> flow(image.size());
  for (auto& value : image) value = random.unit();
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      // A swirl, and one pixel in eight comes from up to 64 pixels away.
      const float turn = 0.2f * std::exp(-std::hypot(x - 1920.0f, y - 1080.0f) / 500);
      const float jump = random.below(8) == 0 ? 64.0f : 1.0f;
      flow[y * width + x] = make_float2(-turn * (y - 1080) + jump * (2 * random.unit() - 1),
                                        turn * (x - 1920) + jump * (2 * random.unit() - 1));
    }
  }
  float* d_image = upload(image);
  float2* d_flow = upload(flow);
  float* d_out = allocate<float>(image.size());
  const Shape shape{dim3(width / 32, height / 8), dim3(32, 8)};
  const auto times = measure([] {},
                             [&] {
                               flow_warp_kernel<<<shape.grid, shape.block>>>(d_image, d_flow, d_out,
                                                                             width, height);
                             });
  const auto out = download(d_out, image.size());
  for (int y = 0; y < height; y += 13) {
    for (int x = 0; x < width; x += 7) {
      const float2 shift = flow[y * width + x];
      expect(near(out[y * width + x], sample(image.data(), width, height, x + shift.x, y + shift.y),
                  1e-3));
    }
  }
  report("flow_warp", "flow_warp_kernel", shape, times, checksum(out));
}
