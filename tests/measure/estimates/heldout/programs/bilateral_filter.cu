#include "timed.h"

constexpr int radius = 5;

extern "C" __global__ void bilateral_filter_kernel(const float* in, float* out, int width,
                                                   int height, float space, float range) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float center = in[y * width + x];
  float sum = 0, weights = 0;
  for (int dy = -radius; dy <= radius; dy++) {
    const int row = min(max(y + dy, 0), height - 1) * width;
    for (int dx = -radius; dx <= radius; dx++) {
      const float value = in[row + min(max(x + dx, 0), width - 1)];
      const float difference = value - center;
      const float weight = __expf(space * (dx * dx + dy * dy) + range * difference * difference);
      sum += weight * value;
      weights += weight;
    }
  }
  out[y * width + x] = sum / weights;
}

int main() {
  const int width = 1920, height = 1080;
  const float space = -0.08f, range = -20;
  Random random{38};
  std::vector<float> in(width * height);
  for (auto& value : in) value = random.unit();
  float* d_in = upload(in);
  float* d_out = allocate<float>(in.size());
  const Shape shape{dim3(width / 16, blocks_for(height, 16)), dim3(16, 16)};
  const auto times = measure([] {},
                             [&] {
                               bilateral_filter_kernel<<<shape.grid, shape.block>>>(
                                   d_in, d_out, width, height, space, range);
                             });
  const auto out = download(d_out, in.size());
  for (int y = 0; y < height; y += 211) {
    for (int x = 0; x < width; x += 173) {
      double sum = 0, weights = 0;
      for (int dy = -radius; dy <= radius; dy++) {
        for (int dx = -radius; dx <= radius; dx++) {
          const double value =
              in[std::clamp(y + dy, 0, height - 1) * width + std::clamp(x + dx, 0, width - 1)];
          const double difference = value - in[y * width + x];
          const double weight =
              std::exp(space * (dx * dx + dy * dy) + range * difference * difference);
          sum += weight * value;
          weights += weight;
        }
      }
      expect(near(out[y * width + x], sum / weights, 1e-3));
    }
  }
  report("bilateral_filter", "bilateral_filter_kernel", shape, times, checksum(out));
}
