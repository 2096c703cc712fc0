// The worked example of the lab `derivatives`, against float64. Compiled as submissions are, on
// both backends.

#include <cuda_runtime_api.h>

#include <random>
#include <vector>

#include "grid.h"
#include "judge/catch.h"
#include "judge/catch_session.h"

void derivative_x_small_pencils(const float* f, float* df, int mx, int my, int mz, float spacing);
void derivative_x_large_pencils(const float* f, float* df, int mx, int my, int mz, float spacing);

namespace {

using namespace derivatives;

constexpr float spacing = 0.3f;

Problem noise(const Grid& grid) {
  Problem p{Axis::x, grid, spacing, std::vector<float>(grid.size())};
  std::mt19937 engine(grid.mx);
  for (float& value : p.f) value = std::uniform_real_distribution<float>(-1, 1)(engine);
  return p;
}

std::vector<float> run(decltype(derivative_x_small_pencils) derivative_x, const Problem& p) {
  const std::size_t bytes = p.f.size() * sizeof(float);
  float *f = nullptr, *df = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&f), bytes) == cudaSuccess);
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&df), bytes) == cudaSuccess);
  REQUIRE(cudaMemcpy(f, p.f.data(), bytes, cudaMemcpyHostToDevice) == cudaSuccess);
  // All bits set: a NaN where nothing is written.
  REQUIRE(cudaMemset(df, 0xff, bytes) == cudaSuccess);
  derivative_x(f, df, p.grid.mx, p.grid.my, p.grid.mz, p.spacing);
  std::vector<float> result(p.f.size());
  REQUIRE(cudaMemcpy(result.data(), df, bytes, cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  cudaFree(f);
  cudaFree(df);
  return result;
}

void check(const Problem& p, const std::vector<float>& got) {
  const std::vector<float> expected = derivative(p);
  const double allowed = tolerance(1, p.spacing);
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::abs(double(got[i]) - expected[i]) <= allowed) continue;
    FAIL("df" << p.grid.place(i) << " is " << got[i] << ", expected " << expected[i]);
  }
}

}  // namespace

TEST_CASE("derivative_x, the worked example, is right with small and with large pencils") {
  const Grid grid = GENERATE(Grid{9, 9, 9}, Grid{63, 5, 7}, Grid{64, 10, 9}, Grid{65, 31, 9},
                             Grid{130, 9, 11}, Grid{9, 65'540, 1});
  INFO("mx, my, mz = " << grid.mx << ", " << grid.my << ", " << grid.mz);
  const Problem p = noise(grid);
  check(p, run(derivative_x_small_pencils, p));
  check(p, run(derivative_x_large_pencils, p));
}

int main(int argc, char** argv) { return tilelab::run_catch(argc, argv); }
