#include "timed.h"

__device__ inline uint32_t pcg(uint32_t& state) {
  state = state * 747796405u + 2891336453u;
  const uint32_t word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
  return (word >> 22) ^ word;
}

extern "C" __global__ void asian_option_kernel(float* payoffs, int days, float drift, float sigma,
                                               float strike) {
  const int path = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t state = path * 2654435761u + 12345u;
  float price = 100, sum = 0;
  for (int day = 0; day < days; day += 2) {
    // Box and Muller: two normal numbers from two uniform ones.
    const float u = (pcg(state) + 1.0f) * 0x1p-32f;
    const float v = pcg(state) * 0x1p-32f;
    const float size = sqrtf(-2 * logf(u));
    float sine, cosine;
    sincospif(2 * v, &sine, &cosine);
    price *= expf(drift + sigma * size * cosine);
    sum += price;
    price *= expf(drift + sigma * size * sine);
    sum += price;
  }
  payoffs[path] = fmaxf(sum / days - strike, 0.0f);
}

int main() {
  const int paths = 1 << 18, days = 252;
  float* d_payoffs = allocate<float>(paths);
  const Shape shape{paths / 256, 256};
  const auto times = measure([] {},
                             [&] {
                               asian_option_kernel<<<shape.grid, shape.block>>>(
                                   d_payoffs, days, 0.0001f, 0.0125f, 100.0f);
                             });
  const auto payoffs = download(d_payoffs, paths);
  const double mean = std::accumulate(payoffs.begin(), payoffs.end(), 0.0) / paths;
  expect(mean > 4 && mean < 7.5);
  report("asian_option", "asian_option_kernel", shape, times, checksum(payoffs));
}
