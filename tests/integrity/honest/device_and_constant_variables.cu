// Variables and tables that live on the device, and constants of the host that kernels may use.
// Lab: diff
// Verdict: graded
// Earns: everything

#include <cmath>
#include <utility>

#include "diff.h"

namespace {

constexpr int block = 256;
const int first = 0;
constexpr float half = 0.5f;
__constant__ int weights[2] = {1, -1};
__device__ int zero = 0;
extern __shared__ int tile[];

struct Weighted {
  int value, weight;
  __host__ __device__ Weighted(int v, int w) : value{v}, weight(w) {}
  Weighted(const Weighted&) = default;
  __device__ int product() const { return value * weight; }
};

__global__ void __launch_bounds__(block) kernel(const int* in, int* out, int n) {
  const int tx = threadIdx.x, i = blockIdx.x * block + tx;
  if (i < n) tile[tx] = in[i];
  __syncthreads();
  if (i >= n) return;
  int before = i == first ? zero : tx > 0 ? tile[tx - 1] : in[i - 1];
  const Weighted own(tile[tx], weights[0]), left(std::move(before), weights[1]);
  out[i] = own.product() + left.product() + static_cast<int>(std::floor(half));
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  kernel<<<(n + block - 1) / block, block, block * sizeof(int)>>>(in, out, n);
}
