// Neighboring words of shared memory that a thread reads one after the other: the compiler may read
// several of them with one instruction. The machine's counts then lie between those of single words
// and those of the widest instructions.

#include "cases.h"
#include "inputs.h"

namespace tilelab::calibration {
namespace {

constexpr int edge = 16;   // threads per side of a block
constexpr int depth = 16;  // rows of the tiles
constexpr int grid = 2;

// Each thread multiplies a column of `width` values by a row of them: a matrix product's inner
// loop. The spare words decide how the rows are aligned.
template <int width, int spare>
__global__ void products(const float* in, float* out) {
  __shared__ float a[depth][edge * width + spare], b[depth][edge * width + spare];
  const int thread = threadIdx.y * edge + threadIdx.x;
  for (int k = thread; k < depth * edge * width; k += edge * edge) {
    const int row = k / (edge * width), column = k % (edge * width);
    a[row][column] = in[k];
    b[row][column] = in[depth * edge * width + k];
  }
  __syncthreads();
  float sums[width][width] = {};
#pragma unroll 1
  for (int row = 0; row < depth; ++row) {
    float column_of_a[width], row_of_b[width];
    for (int i = 0; i < width; ++i) column_of_a[i] = a[row][threadIdx.y * width + i];
    for (int i = 0; i < width; ++i) row_of_b[i] = b[row][threadIdx.x * width + i];
    for (int i = 0; i < width; ++i) {
      for (int j = 0; j < width; ++j) sums[i][j] += column_of_a[i] * row_of_b[j];
    }
  }
  float total = 0;
  for (int i = 0; i < width; ++i) {
    for (int j = 0; j < width; ++j) total += sums[i][j];
  }
  out[blockIdx.x * edge * edge + thread] = total;
}

template <int width, int spare>
Case products_case() {
  const std::string name = "registers_products_" + std::to_string(width);
  return {name + (spare > 0 ? "_padded_" + std::to_string(spare) : ""), [] {
            constexpr int row_length = edge * width;
            const auto values = generated<float>(2 * depth * row_length);
            const Array<float> in(values);
            const Array<float> out(grid * edge * edge);
            products<width, spare><<<grid, dim3(edge, edge)>>>(in, out);
            std::vector<float> expected(grid * edge * edge);
            for (int i = 0; i < grid * edge * edge; ++i) {
              const float* a = &values[i / edge % edge * width];
              const float* b = &values[depth * row_length + i % edge * width];
              for (int row = 0; row < depth * row_length; row += row_length) {
                for (int k = 0; k < width * width; ++k) {
                  expected[i] += a[row + k / width] * b[row + k % width];
                }
              }
            }
            return holds(out, expected);
          }};
}

// Each thread reads the three components of the other threads' points.
__global__ void points(const float* in, float* out) {
  __shared__ float3 tile[edge * edge];
  const int thread = threadIdx.y * edge + threadIdx.x;
  tile[thread] = make_float3(in[3 * thread], in[3 * thread + 1], in[3 * thread + 2]);
  __syncthreads();
  float total = 0;
#pragma unroll 1
  for (int k = 0; k < edge; ++k) {
    const float3 point = tile[(thread + k * 5) % (edge * edge)];
    total += point.x + 2 * point.y + 3 * point.z;
  }
  out[blockIdx.x * edge * edge + thread] = total;
}

Case points_case() {
  return {"registers_points", [] {
            constexpr int threads = edge * edge;
            const auto values = generated<float>(3 * threads);
            const Array<float> in(values);
            const Array<float> out(grid * threads);
            points<<<grid, dim3(edge, edge)>>>(in, out);
            std::vector<float> expected(grid * threads);
            for (int i = 0; i < grid * threads; ++i) {
              for (int k = 0; k < edge; ++k) {
                const float* point = &values[3 * ((i % threads + k * 5) % threads)];
                expected[i] += point[0] + 2 * point[1] + 3 * point[2];
              }
            }
            return holds(out, expected);
          }};
}

std::vector<Case> all() {
  return {products_case<2, 0>(), products_case<2, 1>(), products_case<3, 0>(),
          products_case<4, 0>(), products_case<4, 1>(), products_case<4, 4>(),
          products_case<8, 0>(), points_case()};
}

CALIBRATION_CASES(all);

}  // namespace
}  // namespace tilelab::calibration
