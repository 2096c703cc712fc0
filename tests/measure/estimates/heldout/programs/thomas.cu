#include "timed.h"

// A tridiagonal system per thread; the systems are interleaved, so that accesses coalesce.
extern "C" __global__ void thomas_kernel(const float* lower, const float* diagonal,
                                         const float* upper, const float* side, float* scratch,
                                         float* x, int systems, int order) {
  const int system = blockIdx.x * blockDim.x + threadIdx.x;
  if (system >= systems) return;
  float c = upper[system] / diagonal[system], d = side[system] / diagonal[system];
  scratch[system] = c;
  x[system] = d;
  for (int i = 1; i < order; i++) {
    const int at = i * systems + system;
    const float scale = 1 / (diagonal[at] - lower[at] * c);
    d = (side[at] - lower[at] * d) * scale;
    c = upper[at] * scale;
    scratch[at] = c;
    x[at] = d;
  }
  for (int i = order - 2; i >= 0; i--) {
    const int at = i * systems + system;
    d = x[at] - scratch[at] * d;
    x[at] = d;
  }
}

int main() {
  const int systems = 1 << 15, order = 256;
  const size_t size = size_t(systems) * order;
  Random random{21};
  std::vector<float> lower(size), diagonal(size), upper(size), side(size);
  for (size_t i = 0; i < size; i++) {
    lower[i] = random.unit();
    upper[i] = random.unit();
    diagonal[i] = 2.5f + random.unit();
    side[i] = random.unit();
  }
  float* d_lower = upload(lower);
  float* d_diagonal = upload(diagonal);
  float* d_upper = upload(upper);
  float* d_side = upload(side);
  float* d_scratch = allocate<float>(size);
  float* d_x = allocate<float>(size);
  const Shape shape{systems / 64, 64};
  const auto times =
      measure([] {},
              [&] {
                thomas_kernel<<<shape.grid, shape.block>>>(d_lower, d_diagonal, d_upper, d_side,
                                                           d_scratch, d_x, systems, order);
              });
  const auto x = download(d_x, size);
  for (int s : {0, 1234, systems - 1}) {
    for (int i = 0; i < order; i++) {
      const size_t at = size_t(i) * systems + s;
      double sum = diagonal[at] * x[at];
      if (i > 0) sum += lower[at] * x[at - systems];
      if (i < order - 1) sum += upper[at] * x[at + systems];
      expect(near(sum, side[at], 1e-4));
    }
  }
  report("thomas", "thomas_kernel", shape, times, checksum(x));
}
