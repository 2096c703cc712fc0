// Runs the first nine kernels of a clone of https://github.com/siboehm/SGEMM_CUDA, unmodified, and
// compares their products with the host's. The repository's own program needs cuBLAS for that.
//
//     ./tilelab run tests/measure/corpora/sgemm.cu -I CLONE/src

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <kernels.cuh>
#include <utility>
#include <vector>

namespace {

constexpr int n = 256;
constexpr float alpha = 0.5f, beta = 3.0f;

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::printf("%s\n", cudaGetErrorString(error));
  std::exit(1);
}

using Matrix = std::vector<float>;

Matrix random_matrix(unsigned seed) {
  Matrix result(n * n);
  for (float& value : result) {
    seed = 1664525 * seed + 1013904223;
    value = static_cast<float>(seed >> 8) / (1 << 24) - 0.5f;
  }
  return result;
}

Matrix product(const Matrix& a, const Matrix& b, Matrix c) {
  for (int i = 0; i < n; ++i) {
    std::vector<double> row(n);
    for (int k = 0; k < n; ++k) {
      for (int j = 0; j < n; ++j) row[j] += double(a[i * n + k]) * b[k * n + j];
    }
    for (int j = 0; j < n; ++j) {
      c[i * n + j] = static_cast<float>(alpha * row[j] + beta * c[i * n + j]);
    }
  }
  return c;
}

using Launch = std::function<void(float*, float*, float*)>;

constexpr dim3 blocks_of(int side) { return {unsigned(n / side), unsigned(n / side)}; }

const std::vector<std::pair<const char*, Launch>> kernels = {
    {"1 naive",
     [](float* a, float* b, float* c) {
       sgemm_naive<<<blocks_of(32), dim3(32, 32)>>>(n, n, n, alpha, a, b, beta, c);
     }},
    {"2 coalesced",
     [](float* a, float* b, float* c) {
       sgemm_global_mem_coalesce<32><<<blocks_of(32), 1024>>>(n, n, n, alpha, a, b, beta, c);
     }},
    {"3 shared memory",
     [](float* a, float* b, float* c) {
       sgemm_shared_mem_block<32><<<blocks_of(32), 1024>>>(n, n, n, alpha, a, b, beta, c);
     }},
    {"4 results in a column",
     [](float* a, float* b, float* c) {
       sgemm1DBlocktiling<64, 64, 8, 8><<<blocks_of(64), 512>>>(n, n, n, alpha, a, b, beta, c);
     }},
    {"5 results in a patch",
     [](float* a, float* b, float* c) {
       sgemm2DBlocktiling<128, 128, 8, 8, 8>
           <<<blocks_of(128), 256>>>(n, n, n, alpha, a, b, beta, c);
     }},
    {"6 vectors",
     [](float* a, float* b, float* c) {
       sgemmVectorize<128, 128, 8, 8, 8><<<blocks_of(128), 256>>>(n, n, n, alpha, a, b, beta, c);
     }},
    {"7 without bank conflicts",
     [](float* a, float* b, float* c) {
       sgemmResolveBankConflicts<128, 128, 8, 8, 8>
           <<<blocks_of(128), 256>>>(n, n, n, alpha, a, b, beta, c);
     }},
    {"8 an extra column",
     [](float* a, float* b, float* c) {
       sgemmResolveBankExtraCol<128, 128, 8, 8, 8>
           <<<blocks_of(128), 256>>>(n, n, n, alpha, a, b, beta, c);
     }},
    {"9 tuned",
     [](float* a, float* b, float* c) {
       sgemmAutotuned<128, 128, 16, 8, 8>
           <<<blocks_of(128), K9_NUM_THREADS>>>(n, n, n, alpha, a, b, beta, c);
     }},
};

float* on_device(const Matrix& host) {
  float* result = nullptr;
  check(cudaMalloc(&result, host.size() * sizeof(float)));
  check(cudaMemcpy(result, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
  return result;
}

bool is_right(const Launch& launch, const Matrix& a, const Matrix& b, const Matrix& expected) {
  Matrix c = random_matrix(3);
  float *device_a = on_device(a), *device_b = on_device(b), *device_c = on_device(c);
  launch(device_a, device_b, device_c);
  check(cudaGetLastError());
  check(cudaMemcpy(c.data(), device_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (float* array : {device_a, device_b, device_c}) check(cudaFree(array));
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (!(std::abs(c[i] - expected[i]) < 1e-3f)) return false;
  }
  return true;
}

}  // namespace

int main() {
  const Matrix a = random_matrix(1), b = random_matrix(2);
  const Matrix expected = product(a, b, random_matrix(3));
  int right = 0;
  for (const auto& [name, launch] : kernels) {
    const bool ok = is_right(launch, a, b, expected);
    std::printf("%s: %s\n", name, ok ? "right" : "wrong");
    right += ok;
  }
  std::printf("%d of %zu are right\n", right, kernels.size());
  return right == static_cast<int>(kernels.size()) ? 0 : 1;
}
