#include "timed.h"

// A step of lattice Boltzmann: stream (pull) and collide (BGK), one array per direction.
extern "C" __global__ void lbm_d2q9_kernel(const float* in, float* out, int size, float omega) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  // The domain is periodic; `size` is a power of two.
  const int mask = size - 1, cells = size * size, at = y * size + x;
  const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  const float weights[9] = {4 / 9.f,  1 / 9.f,  1 / 9.f,  1 / 9.f, 1 / 9.f,
                            1 / 36.f, 1 / 36.f, 1 / 36.f, 1 / 36.f};
  float f[9], density = 0, ux = 0, uy = 0;
#pragma unroll
  for (int d = 0; d < 9; d++) {
    f[d] = in[d * cells + ((y - cy[d]) & mask) * size + ((x - cx[d]) & mask)];
    density += f[d];
    ux += cx[d] * f[d];
    uy += cy[d] * f[d];
  }
  ux /= density;
  uy /= density;
  const float u2 = 1.5f * (ux * ux + uy * uy);
#pragma unroll
  for (int d = 0; d < 9; d++) {
    const float cu = 3 * (cx[d] * ux + cy[d] * uy);
    const float balance = weights[d] * density * (1 + cu + 0.5f * cu * cu - u2);
    out[d * cells + at] = f[d] + omega * (balance - f[d]);
  }
}

int main() {
  const int size = 2048, cells = size * size;
  Random random{40};
  std::vector<float> in(size_t(9) * cells);
  for (size_t i = 0; i < in.size(); i++)
    in[i] = (i < size_t(cells) ? 0.4f : 0.1f) + 0.02f * random.unit();
  float* d_in = upload(in);
  float* d_out = allocate<float>(in.size());
  const Shape shape{dim3(size / 64, size / 2), dim3(64, 2)};
  const auto times = measure(
      [] {}, [&] { lbm_d2q9_kernel<<<shape.grid, shape.block>>>(d_in, d_out, size, 1.2f); });
  const auto out = download(d_out, in.size());
  // A step keeps the mass.
  const double before = std::accumulate(in.begin(), in.end(), 0.0);
  const double after = std::accumulate(out.begin(), out.end(), 0.0);
  expect(near(after, before, 1e-5));
  report("lbm_d2q9", "lbm_d2q9_kernel", shape, times, checksum(out));
}
