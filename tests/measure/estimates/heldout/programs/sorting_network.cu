#include "timed.h"

constexpr int keys_per_thread = 32;

__device__ inline void exchange(float& a, float& b) {
  const float low = fminf(a, b);
  b = fmaxf(a, b);
  a = low;
}

// Batcher's odd-even merge sort; the loops unroll, so that the keys stay in registers.
extern "C" __global__ void sorting_network_kernel(const float* in, float* out, int threads) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float keys[keys_per_thread];
#pragma unroll
  for (int i = 0; i < keys_per_thread; i++) keys[i] = in[i * threads + thread];
#pragma unroll
  for (int p = 1; p < keys_per_thread; p *= 2) {
#pragma unroll
    for (int k = p; k >= 1; k /= 2) {
#pragma unroll
      for (int i = 0; i < keys_per_thread; i++) {
        const int from = k % p;
        const bool starts = i >= from && ((i - from) / k) % 2 == 0 && i + k < keys_per_thread;
        if (starts && i / (2 * p) == (i + k) / (2 * p)) exchange(keys[i], keys[i + k]);
      }
    }
  }
#pragma unroll
  for (int i = 0; i < keys_per_thread; i++) out[i * threads + thread] = keys[i];
}

int main() {
  const int threads = 1 << 18;
  Random random{10};
  std::vector<float> in(size_t(threads) * keys_per_thread);
  for (auto& key : in) key = random.unit();
  float* d_in = upload(in);
  float* d_out = allocate<float>(in.size());
  const Shape shape{threads / 128, 128};
  const auto times = measure(
      [] {}, [&] { sorting_network_kernel<<<shape.grid, shape.block>>>(d_in, d_out, threads); });
  const auto out = download(d_out, in.size());
  for (int t = 0; t < threads; t += 1001) {
    std::vector<float> wanted;
    for (int i = 0; i < keys_per_thread; i++) wanted.push_back(in[size_t(i) * threads + t]);
    std::sort(wanted.begin(), wanted.end());
    for (int i = 0; i < keys_per_thread; i++) expect(out[size_t(i) * threads + t] == wanted[i]);
  }
  report("sorting_network", "sorting_network_kernel", shape, times, checksum(out));
}
