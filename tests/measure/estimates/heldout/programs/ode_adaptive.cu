#include "timed.h"

// Van der Pol's oscillator by Bogacki and Shampine's pair, in double precision; each thread chooses
// its own steps.
__host__ __device__ inline double2 slope(double2 y, double mu) {
  return make_double2(y.y, mu * (1 - y.x * y.x) * y.y - y.x);
}

__host__ __device__ inline double2 moved(double2 y, double h, double2 k) {
  return make_double2(y.x + h * k.x, y.y + h * k.y);
}

__host__ __device__ inline double2 integrate(double mu, double end, double tolerance, int* steps) {
  double2 y = make_double2(2, 0), k1 = slope(y, mu);
  double t = 0, h = 0.01;
  *steps = 0;
  while (t < end && *steps < 20000) {
    h = fmin(h, end - t);
    const double2 k2 = slope(moved(y, h / 2, k1), mu);
    const double2 k3 = slope(moved(y, 3 * h / 4, k2), mu);
    const double2 next = moved(moved(moved(y, 2 * h / 9, k1), h / 3, k2), 4 * h / 9, k3);
    const double2 k4 = slope(next, mu);
    const double ex = h * (-5 * k1.x / 72 + k2.x / 12 + k3.x / 9 - k4.x / 8);
    const double ey = h * (-5 * k1.y / 72 + k2.y / 12 + k3.y / 9 - k4.y / 8);
    const double error = sqrt(ex * ex + ey * ey) / tolerance;
    if (error <= 1) {
      t += h;
      y = next;
      k1 = k4;
    }
    h *= fmin(4.0, fmax(0.2, 0.9 * cbrt(1 / fmax(error, 1e-9))));
    ++*steps;
  }
  return y;
}

extern "C" __global__ void ode_adaptive_kernel(const double* mus, double2* ends, int* steps,
                                               int count, double end, double tolerance) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) ends[i] = integrate(mus[i], end, tolerance, &steps[i]);
}

int main() {
  const int count = 1 << 15;
  const double end = 4, tolerance = 1e-6;
  Random random{48};
  std::vector<double> mus(count);
  for (auto& mu : mus) mu = 0.1 + 8 * random.unit() * random.unit();
  double* d_mus = upload(mus);
  double2* d_ends = allocate<double2>(count);
  int* d_steps = allocate<int>(count);
  const Shape shape{count / 64, 64};
  const auto times = measure([] {},
                             [&] {
                               ode_adaptive_kernel<<<shape.grid, shape.block>>>(
                                   d_mus, d_ends, d_steps, count, end, tolerance);
                             });
  const auto ends = download(d_ends, count);
  for (int i = 0; i < count; i += 211) {
    int steps = 0;
    const double2 wanted = integrate(mus[i], end, tolerance, &steps);
    expect(near(ends[i].x, wanted.x, 1e-3) && near(ends[i].y, wanted.y, 1e-2));
  }
  report("ode_adaptive", "ode_adaptive_kernel", shape, times, checksum(download(d_steps, count)));
}
