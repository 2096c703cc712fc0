#pragma once

/// The kernels that are timed, as CUDA and HIP both spell them. Include one of the two before.

namespace {

/// c = a * b, square, row by row. n is a multiple of the tile's side.
__global__ void matmul_kernel(const float* a, const float* b, float* c, int n) {
  constexpr int tile = 16;
  __shared__ float a_tile[tile][tile];
  __shared__ float b_tile[tile][tile];
  const int row = blockIdx.y * tile + threadIdx.y;
  const int column = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int begin = 0; begin < n; begin += tile) {
    a_tile[threadIdx.y][threadIdx.x] = a[row * n + begin + threadIdx.x];
    b_tile[threadIdx.y][threadIdx.x] = b[(begin + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

/// The index of the nearest other point.
__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  constexpr int block = 128;
  __shared__ float3 tile[block];
  const int i = blockIdx.x * block + threadIdx.x;
  const float3 own = i < n ? points[i] : make_float3(0, 0, 0);
  float best = 1e30f;
  int index = -1;
  for (int begin = 0; begin < n; begin += block) {
    if (begin + threadIdx.x < n) tile[threadIdx.x] = points[begin + threadIdx.x];
    __syncthreads();
    const int count = n - begin < block ? n - begin : block;
    for (int j = 0; j < count; ++j) {
      const float x = tile[j].x - own.x;
      const float y = tile[j].y - own.y;
      const float z = tile[j].z - own.z;
      const float distance = x * x + y * y + z * z;
      if (distance < best && begin + j != i) {
        best = distance;
        index = begin + j;
      }
    }
    __syncthreads();
  }
  if (i < n) nearest[i] = index;
}

/// One sum per block, of two elements per thread. The number of elements is a multiple of 512.
__global__ void reduction_kernel(const int* in, int* sums) {
  constexpr int block = 256;
  __shared__ int partial[block];
  const int i = blockIdx.x * 2 * block + threadIdx.x;
  partial[threadIdx.x] = in[i] + in[i + block];
  __syncthreads();
  for (int half = block / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

/// n is a multiple of the tile's side.
__global__ void transpose_kernel(const float* in, float* out, int n) {
  constexpr int side = 32;
  constexpr int rows = 8;
  __shared__ float tile[side][side + 1];
  const int x = blockIdx.x * side + threadIdx.x;
  const int y = blockIdx.y * side + threadIdx.y;
  for (int r = 0; r < side; r += rows) tile[threadIdx.y + r][threadIdx.x] = in[(y + r) * n + x];
  __syncthreads();
  const int out_x = blockIdx.y * side + threadIdx.x;
  const int out_y = blockIdx.x * side + threadIdx.y;
  for (int r = 0; r < side; r += rows) {
    out[(out_y + r) * n + out_x] = tile[threadIdx.x][threadIdx.y + r];
  }
}

}  // namespace
