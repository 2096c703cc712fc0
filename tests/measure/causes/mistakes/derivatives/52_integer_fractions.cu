// CAUSE: 4 / 105 and -1 / 280 are integer divisions, so the last two coefficients are 0.
// LINES: 13
// REPAIR: line 13: `__constant__ float c[4] = {0.8f, -0.2f, 4 / 105, -1 / 280};` -> `__constant__ float c[4] = {0.8f, -0.2f, 4.0f / 105, -1.0f / 280};`
// SYMPTOM: All derivatives are a little off, except those of constant fields; on waves the error does not fall with eighth order.
#include "derivatives.h"

#define TILE_X 32
#define TILE_J 64
#define BLOCK_Y 8
#define HALO 4

// coefficients for the distances 1, 2, 3, 4
__constant__ float c[4] = {0.8f, -0.2f, 4 / 105, -1 / 280};

// s points to the center, neighbors are TILE_X apart
__device__ float stencil(const float* s) {
  float result = c[0] * (s[1 * TILE_X] - s[-1 * TILE_X]);
  result += c[1] * (s[2 * TILE_X] - s[-2 * TILE_X]);
  result += c[2] * (s[3 * TILE_X] - s[-3 * TILE_X]);
  result += c[3] * (s[4 * TILE_X] - s[-4 * TILE_X]);
  return result;
}

__device__ int periodic(int j, int m) {
  if (j < 0) j += m - 1;
  else if (j > m - 1) j -= m - 1;
  return j;
}

__global__ void deriv_y(const float* f, float* df, int mx, int my, float h) {
  __shared__ float s[(TILE_J + 2 * HALO) * TILE_X];
  int nx = (mx + TILE_X - 1) / TILE_X;
  int ny = (my + TILE_J - 1) / TILE_J;
  int i = (blockIdx.x % nx) * TILE_X + threadIdx.x;
  int j0 = (blockIdx.x / nx % ny) * TILE_J;
  int k = blockIdx.x / (nx * ny);

  for (int r = threadIdx.y; r < TILE_J + 2 * HALO; r += BLOCK_Y) {
    int j = j0 - HALO + r;
    if (i < mx && j < my + HALO) {
      s[r * TILE_X + threadIdx.x] = f[(k * my + periodic(j, my)) * mx + i];
    }
  }
  __syncthreads();
  for (int r = threadIdx.y; r < TILE_J; r += BLOCK_Y) {
    int j = j0 + r;
    if (i < mx && j < my) {
      df[(k * my + j) * mx + i] = stencil(&s[(r + HALO) * TILE_X + threadIdx.x]) / h;
    }
  }
}

__global__ void deriv_z(const float* f, float* df, int mx, int my, int mz, float h) {
  __shared__ float s[(TILE_J + 2 * HALO) * TILE_X];
  int nx = (mx + TILE_X - 1) / TILE_X;
  int nz = (mz + TILE_J - 1) / TILE_J;
  int i = (blockIdx.x % nx) * TILE_X + threadIdx.x;
  int k0 = (blockIdx.x / nx % nz) * TILE_J;
  int j = blockIdx.x / (nx * nz);

  for (int r = threadIdx.y; r < TILE_J + 2 * HALO; r += BLOCK_Y) {
    int k = k0 - HALO + r;
    if (i < mx && k < mz + HALO) {
      s[r * TILE_X + threadIdx.x] = f[(periodic(k, mz) * my + j) * mx + i];
    }
  }
  __syncthreads();
  for (int r = threadIdx.y; r < TILE_J; r += BLOCK_Y) {
    int k = k0 + r;
    if (i < mx && k < mz) {
      df[(k * my + j) * mx + i] = stencil(&s[(r + HALO) * TILE_X + threadIdx.x]) / h;
    }
  }
}

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  dim3 threads(TILE_X, BLOCK_Y);
  int blocks = ((mx + TILE_X - 1) / TILE_X) * ((my + TILE_J - 1) / TILE_J) * mz;
  deriv_y<<<blocks, threads>>>(f, df, mx, my, spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  dim3 threads(TILE_X, BLOCK_Y);
  int blocks = ((mx + TILE_X - 1) / TILE_X) * ((mz + TILE_J - 1) / TILE_J) * my;
  deriv_z<<<blocks, threads>>>(f, df, mx, my, mz, spacing);
}
