#include "timed.h"

// One pass of Stockham's radix-2 transform; `length` is that of the transforms done already.
extern "C" __global__ void fft_pass_kernel(const float2* in, float2* out, int half, int length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= half) return;
  const int k = i & (length - 1);
  float sine, cosine;
  sincospif(-float(k) / length, &sine, &cosine);
  const float2 a = in[i], b = in[i + half];
  const float re = b.x * cosine - b.y * sine, im = b.x * sine + b.y * cosine;
  const int at = 2 * i - k;
  out[at] = make_float2(a.x + re, a.y + im);
  out[at + length] = make_float2(a.x - re, a.y - im);
}

int main() {
  const int size = 1 << 23, half = size / 2, length = 8;
  Random random{22};
  std::vector<float2> in(size);
  for (auto& value : in) value = make_float2(random.unit(), random.unit());
  float2* d_in = upload(in);
  float2* d_out = allocate<float2>(size);
  const Shape shape{half / 256, 256};
  const auto times = measure(
      [] {}, [&] { fft_pass_kernel<<<shape.grid, shape.block>>>(d_in, d_out, half, length); });
  const auto out = download(d_out, size);
  double sum = 0;
  for (int i = 0; i < half; i++) {
    const int k = i % length, at = 2 * i - k;
    // A butterfly's two results add up to twice its first operand.
    expect(near(out[at].x + out[at + length].x, 2 * in[i].x, 1e-5));
    const double turned = in[i + half].x * std::cos(-M_PI * k / length) -
                          in[i + half].y * std::sin(-M_PI * k / length);
    expect(near(out[at].x - out[at + length].x, 2 * turned, 1e-5));
    sum += out[at].x * 3.0 + out[at + length].y;
  }
  report("fft_pass", "fft_pass_kernel", shape, times, sum);
}
