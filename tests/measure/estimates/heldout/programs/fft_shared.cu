#include "timed.h"

constexpr int size = 1024;

// A whole transform per block: bits reversed on the way in, ten passes in shared memory.
extern "C" __global__ void fft_shared_kernel(const float2* in, float2* out) {
  __shared__ float2 data[size];
  const float2* source = in + size_t(blockIdx.x) * size;
  for (int i = threadIdx.x; i < size; i += blockDim.x) data[__brev(i) >> 22] = source[i];
  for (int length = 1; length < size; length *= 2) {
    __syncthreads();
    for (int i = threadIdx.x; i < size / 2; i += blockDim.x) {
      const int k = i & (length - 1), low = 2 * i - k, high = low + length;
      float sine, cosine;
      sincospif(-float(k) / length, &sine, &cosine);
      const float2 a = data[low], b = data[high];
      const float re = b.x * cosine - b.y * sine, im = b.x * sine + b.y * cosine;
      data[low] = make_float2(a.x + re, a.y + im);
      data[high] = make_float2(a.x - re, a.y - im);
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < size; i += blockDim.x) {
    out[size_t(blockIdx.x) * size + i] = data[i];
  }
}

int main() {
  const int transforms = 4096;
  Random random{23};
  std::vector<float2> in(size_t(transforms) * size);
  for (auto& value : in) value = make_float2(random.unit() - 0.5f, random.unit() - 0.5f);
  float2* d_in = upload(in);
  float2* d_out = allocate<float2>(in.size());
  const Shape shape{transforms, 256};
  const auto times =
      measure([] {}, [&] { fft_shared_kernel<<<shape.grid, shape.block>>>(d_in, d_out); });
  const auto out = download(d_out, in.size());
  for (int t : {0, 1000, transforms - 1}) {
    for (int f : {0, 1, 77, 512, 1023}) {
      double re = 0, im = 0;
      for (int i = 0; i < size; i++) {
        const double angle = -2 * M_PI * (i * f % size) / size;
        const float2 value = in[size_t(t) * size + i];
        re += value.x * std::cos(angle) - value.y * std::sin(angle);
        im += value.x * std::sin(angle) + value.y * std::cos(angle);
      }
      const float2 got = out[size_t(t) * size + f];
      expect(near(got.x, re, 1e-3) && near(got.y, im, 1e-3));
    }
  }
  double sum = 0;
  for (const auto& value : out) sum += std::fabs(value.x) + 2 * std::fabs(value.y);
  report("fft_shared", "fft_shared_kernel", shape, times, sum);
}
