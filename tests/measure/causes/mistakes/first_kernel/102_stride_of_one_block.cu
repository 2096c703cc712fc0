// CAUSE: The grid has several blocks, but a thread moves on by the threads of one block only. So all blocks compute the elements of the blocks after them once more.
// LINES: 25
// REPAIR: line 25: `const int step = blockDim.x;` -> `const int step = blockDim.x * gridDim.x;`
// SYMPTOM: Several blocks write the same elements: a data race, and far more loads than needed.

#include "first_kernel.h"

namespace {

constexpr int block = 128;
constexpr int max_grid = 64;

struct Identity {
  __device__ float operator()(float v) const { return v; }
};

struct Bounds {
  float low, high;
  __device__ float operator()(float v) const { return fminf(fmaxf(v, low), high); }
};

template <typename After>
__global__ void apply(const float* x, const float* y, float* out, float a, int n, After after) {
  const int start = blockIdx.x * blockDim.x + threadIdx.x;
  const int step = blockDim.x;
  for (int i = start; i < n; i += step) out[i] = after(a * x[i] + y[i]);
}

int grid_for(int n) {
  const int wanted = (n - 1) / block + 1;
  return wanted > max_grid ? max_grid : wanted;
}

#define TRY(call)                               \
  do {                                          \
    if (error == cudaSuccess) error = (call);   \
  } while (0)

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return;
  apply<<<grid_for(n), block>>>(x, y, out, a, n, Identity{});
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n == 0) return;
  apply<<<grid_for(n), block>>>(x, y, out, a, n, Bounds{low, high});
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return cudaSuccess;
  const size_t size = n * sizeof(float);
  float* a_x = nullptr;
  float* a_y = nullptr;
  float* a_out = nullptr;
  cudaError_t error = cudaSuccess;
  TRY(cudaMalloc((void**)&a_x, size));
  TRY(cudaMalloc((void**)&a_y, size));
  TRY(cudaMalloc((void**)&a_out, size));
  TRY(cudaMemcpy(a_x, x, size, cudaMemcpyHostToDevice));
  TRY(cudaMemcpy(a_y, y, size, cudaMemcpyHostToDevice));
  if (error == cudaSuccess) {
    saxpy(a_x, a_y, a_out, a, n);
    error = cudaGetLastError();
  }
  TRY(cudaMemcpy(out, a_out, size, cudaMemcpyDeviceToHost));
  cudaFree(a_x);
  cudaFree(a_y);
  cudaFree(a_out);
  return error;
}
