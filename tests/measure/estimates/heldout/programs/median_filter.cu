#include "timed.h"

constexpr int radius = 2, taps = (2 * radius + 1) * (2 * radius + 1);

// Insertion sort of a window in an array that the thread indexes by data: local memory.
extern "C" __global__ void median_filter_kernel(const uint8_t* in, uint8_t* out, int width,
                                                int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  uint8_t window[taps];
  int count = 0;
  for (int dy = -radius; dy <= radius; dy++) {
    for (int dx = -radius; dx <= radius; dx++) {
      const uint8_t value =
          in[min(max(y + dy, 0), height - 1) * width + min(max(x + dx, 0), width - 1)];
      int at = count++;
      while (at > 0 && window[at - 1] > value) {
        window[at] = window[at - 1];
        at--;
      }
      window[at] = value;
    }
  }
  out[y * width + x] = window[taps / 2];
}

int main() {
  const int width = 1280, height = 720;
  Random random{39};
  std::vector<uint8_t> in(width * height);
  // A slope with noise and specks.
  for (int i = 0; i < width * height; i++) {
    const int slope = i % width * 160 / width + i / width * 80 / height;
    in[i] = random.below(20) == 0 ? 255 : uint8_t(slope + random.below(16));
  }
  uint8_t* d_in = upload(in);
  uint8_t* d_out = allocate<uint8_t>(in.size());
  const Shape shape{dim3(width / 32, height / 8), dim3(32, 8)};
  const auto times = measure(
      [] {},
      [&] { median_filter_kernel<<<shape.grid, shape.block>>>(d_in, d_out, width, height); });
  const auto out = download(d_out, in.size());
  for (int y = 0; y < height; y += 31) {
    for (int x = 0; x < width; x += 29) {
      std::vector<uint8_t> window;
      for (int i = 0; i < taps; i++) {
        const int wy = std::clamp(y + i / 5 - radius, 0, height - 1);
        window.push_back(in[wy * width + std::clamp(x + i % 5 - radius, 0, width - 1)]);
      }
      std::sort(window.begin(), window.end());
      expect(out[y * width + x] == window[taps / 2]);
    }
  }
  report("median_filter", "median_filter_kernel", shape, times, checksum(out));
}
