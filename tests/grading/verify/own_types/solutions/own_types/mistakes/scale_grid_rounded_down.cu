// The number of blocks is rounded down.
// Test: scale is right
// Says: not changed: does the grid cover all of them?
// Task: 1

#include "own_types.h"

namespace {

constexpr int block = 256;

int blocks_for(int threads) { return (threads + block - 1) / block; }

__global__ void scale_kernel(float* values, float factor, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n) values[i] *= factor;
}

__device__ double at(const double* f, Grid grid, int x, int y) {
  const bool inside = 0 <= x && x < grid.nx && 0 <= y && y < grid.ny;
  return inside ? f[y * grid.nx + x] : grid.border;
}

__global__ void laplace_kernel(const double* f, double* result, Grid grid) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i >= grid.nx * grid.ny) return;
  const int x = i % grid.nx, y = i / grid.nx;
  const double sum =
      at(f, grid, x - 1, y) + at(f, grid, x + 1, y) + at(f, grid, x, y - 1) + at(f, grid, x, y + 1);
  result[i] = (sum - 4 * at(f, grid, x, y)) / (grid.spacing * grid.spacing);
}

__global__ void count_kernel(const unsigned char* image, unsigned char limit, int n, int* count) {
  __shared__ int block_count;
  if (threadIdx.x == 0) block_count = 0;
  __syncthreads();
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n && image[i] > limit) atomicAdd(&block_count, 1);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(count, block_count);
}

__global__ void pick_kernel(const Particle* in, const bool* chosen, Particle* out,
                            std::uint64_t* keys, int n, int* mass) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i >= n) return;
  Particle particle{};
  if (chosen[i]) {
    particle = in[i];
    atomicAdd(mass, static_cast<int>(particle.mass));
  }
  out[i] = particle;
  keys[i] = 1000 * static_cast<std::uint64_t>(particle.id) + 7;
}

__global__ void tint_kernel(uchar4* pixels, short* sums, bool* odd, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i >= n) return;
  uchar4 pixel = pixels[i];
  ++pixel.x;
  pixels[i] = pixel;
  sums[i] = static_cast<short>(pixel.x + pixel.y + pixel.z + pixel.w);
  odd[i] = sums[i] % 2 != 0;
}

/// A number in device memory, from 0 on.
class Counter {
 public:
  Counter() {
    cudaMalloc(&device_, sizeof(int));
    cudaMemset(device_, 0, sizeof(int));
  }
  ~Counter() { cudaFree(device_); }
  int* device() { return device_; }
  int value() const {
    int value = 0;
    cudaMemcpy(&value, device_, sizeof(int), cudaMemcpyDeviceToHost);
    return value;
  }

 private:
  int* device_ = nullptr;
};

}  // namespace

void scale(float* values, float factor, int n) {
  if (n >= block) scale_kernel<<<n / block, block>>>(values, factor, n);
}

cudaError_t scale_from_host(float* values, float factor, int n) {
  if (n == 0) return cudaSuccess;
  const size_t bytes = n * sizeof(float);
  float* device = nullptr;
  cudaError_t error = cudaMalloc(&device, bytes);
  if (error != cudaSuccess) return error;
  error = cudaMemcpy(device, values, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) {
    scale(device, factor, n);
    error = cudaGetLastError();
  }
  if (error == cudaSuccess) error = cudaMemcpy(values, device, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device);
  return error;
}

void laplace(const double* f, double* result, Grid grid) {
  const int n = grid.nx * grid.ny;
  if (n > 0) laplace_kernel<<<blocks_for(n), block>>>(f, result, grid);
}

int count_bright(const unsigned char* image, unsigned char limit, int n) {
  Counter count;
  if (n > 0) count_kernel<<<blocks_for(n), block>>>(image, limit, n, count.device());
  return count.value();
}

double pick(const Particle* in, const bool* chosen, Particle* out, std::uint64_t* keys, int n) {
  Counter mass;
  if (n > 0) pick_kernel<<<blocks_for(n), block>>>(in, chosen, out, keys, n, mass.device());
  return mass.value();
}

void tint(uchar4* pixels, short* sums, bool* odd, int n) {
  if (n > 0) tint_kernel<<<blocks_for(n), block>>>(pixels, sums, odd, n);
}
