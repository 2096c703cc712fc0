#include "timed.h"

constexpr int degree = 6, limit = 60;

// All roots of a polynomial per thread, by Durand and Kerner's iteration.
extern "C" __global__ void durand_kerner_kernel(const float* coefficients, float2* roots,
                                                int* iterations, int count) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= count) return;
  float c[degree];
  float2 z[degree];
#pragma unroll
  for (int i = 0; i < degree; i++) {
    c[i] = coefficients[i * count + thread];
    sincospif(0.4f + 2.0f * i / degree, &z[i].y, &z[i].x);
  }
  int iteration = 0;
  float change = 1;
  while (change > 1e-8f && iteration < limit) {
    change = 0;
#pragma unroll
    for (int i = 0; i < degree; i++) {
      float2 value = make_float2(1, 0), product = make_float2(1, 0);
#pragma unroll
      for (int j = degree - 1; j >= 0; j--) {
        value = make_float2(value.x * z[i].x - value.y * z[i].y + c[j],
                            value.x * z[i].y + value.y * z[i].x);
        if (j == i) continue;
        const float2 d = make_float2(z[i].x - z[j].x, z[i].y - z[j].y);
        product = make_float2(product.x * d.x - product.y * d.y, product.x * d.y + product.y * d.x);
      }
      const float scale = 1 / (product.x * product.x + product.y * product.y + 1e-30f);
      const float2 step = make_float2((value.x * product.x + value.y * product.y) * scale,
                                      (value.y * product.x - value.x * product.y) * scale);
      z[i] = make_float2(z[i].x - step.x, z[i].y - step.y);
      change = fmaxf(change, step.x * step.x + step.y * step.y);
    }
    iteration++;
  }
  for (int i = 0; i < degree; i++) roots[i * count + thread] = z[i];
  iterations[thread] = iteration;
}

int main() {
  const int count = 1 << 18;
  Random random{35};
  std::vector<float> coefficients(size_t(count) * degree);
  for (auto& c : coefficients) c = 2 * random.unit() - 1;
  float* d_coefficients = upload(coefficients);
  float2* d_roots = allocate<float2>(coefficients.size());
  int* d_iterations = allocate<int>(count);
  const Shape shape{count / 128, 128};
  const auto times = measure([] {},
                             [&] {
                               durand_kerner_kernel<<<shape.grid, shape.block>>>(
                                   d_coefficients, d_roots, d_iterations, count);
                             });
  const auto roots = download(d_roots, coefficients.size());
  const auto iterations = download(d_iterations, count);
  int right = 0, looked_at = 0;
  for (int t = 0; t < count; t += 101) {
    double sum = 0;  // the roots add up to minus the second coefficient
    for (int i = 0; i < degree; i++) sum += roots[size_t(i) * count + t].x;
    right += near(sum, -coefficients[size_t(degree - 1) * count + t], 1e-3);
    looked_at++;
  }
  expect(right > 0.99 * looked_at);
  report("durand_kerner", "durand_kerner_kernel", shape, times, checksum(iterations));
}
