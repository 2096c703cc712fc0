#include "timed.h"

constexpr int order = 64;

// One lower triangular system per block, stored by columns; a thread owns a row.
extern "C" __global__ void triangular_solve_kernel(const float* matrices, const float* sides,
                                                   float* solutions) {
  __shared__ float x[order];
  const float* matrix = matrices + size_t(blockIdx.x) * order * order;
  const int row = threadIdx.x;
  float rest = sides[blockIdx.x * order + row];
  for (int column = 0; column < order; column++) {
    const float entry = matrix[column * order + row];
    if (row == column) x[column] = rest / entry;
    __syncthreads();
    if (row > column) rest -= entry * x[column];
  }
  solutions[blockIdx.x * order + row] = x[row];
}

int main() {
  const int systems = 6000;
  Random random{20};
  std::vector<float> matrices(size_t(systems) * order * order), sides(size_t(systems) * order);
  for (int s = 0; s < systems; s++) {
    for (int column = 0; column < order; column++) {
      for (int row = column; row < order; row++) {
        matrices[(size_t(s) * order + column) * order + row] =
            row == column ? 1 + random.unit() : (random.unit() - 0.5f) / 8;
      }
    }
  }
  for (auto& side : sides) side = random.unit();
  float* d_matrices = upload(matrices);
  float* d_sides = upload(sides);
  float* d_solutions = allocate<float>(sides.size());
  const Shape shape{systems, order};
  const auto times = measure([] {},
                             [&] {
                               triangular_solve_kernel<<<shape.grid, shape.block>>>(
                                   d_matrices, d_sides, d_solutions);
                             });
  const auto x = download(d_solutions, sides.size());
  for (int s : {0, 3000, systems - 1}) {
    for (int row = 0; row < order; row++) {
      double sum = 0;
      for (int c = 0; c <= row; c++) {
        sum += matrices[(size_t(s) * order + c) * order + row] * x[s * order + c];
      }
      expect(near(sum, sides[s * order + row], 1e-4));
    }
  }
  report("triangular_solve", "triangular_solve_kernel", shape, times, checksum(x));
}
