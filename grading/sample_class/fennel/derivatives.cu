#include "derivatives.h"

const int PENCILS = 32, LENGTH = 64, ROWS = 8, HALO = 4;

__constant__ float c[5] = {0.0f, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ float stencil(const float* here) {
  float sum = 0.0f;
  for (int d = 1; d <= 4; ++d) sum += c[d] * (here[d * PENCILS] - here[-d * PENCILS]);
  return sum;
}

__global__ void alongY(const float* f, float* df, int mx, int my, float spacing) {
  __shared__ float s[LENGTH + 2 * HALO][PENCILS];
  const int tilesX = (mx + PENCILS - 1) / PENCILS, tilesY = (my + LENGTH - 1) / LENGTH;
  const int i = (blockIdx.x % tilesX) * PENCILS + threadIdx.x;
  const int j0 = (blockIdx.x / tilesX % tilesY) * LENGTH;
  const int k = blockIdx.x / tilesX / tilesY;
  for (int r = threadIdx.y; r < LENGTH + 2 * HALO; r += ROWS) {
    int j = j0 + r - HALO;
    if (i >= mx || j >= my + HALO) continue;
    if (j < 0) j += my - 1;
    if (j >= my) j -= my - 1;
    s[r][threadIdx.x] = f[(k * my + j) * mx + i];
  }
  __syncthreads();
  for (int r = threadIdx.y; r < LENGTH; r += ROWS) {
    if (i >= mx || j0 + r >= my) continue;
    df[(k * my + j0 + r) * mx + i] = stencil(&s[r + HALO][threadIdx.x]) / spacing;
  }
}

__global__ void alongZ(const float* f, float* df, int mx, int my, int mz, float spacing) {
  __shared__ float s[LENGTH + 2 * HALO][PENCILS];
  const int tilesX = (mx + PENCILS - 1) / PENCILS, tilesZ = (mz + LENGTH - 1) / LENGTH;
  const int i = (blockIdx.x % tilesX) * PENCILS + threadIdx.x;
  const int k0 = (blockIdx.x / tilesX % tilesZ) * LENGTH;
  const int j = blockIdx.x / tilesX / tilesZ;
  for (int r = threadIdx.y; r < LENGTH + 2 * HALO; r += ROWS) {
    int k = k0 + r - HALO;
    if (i >= mx || k >= mz + HALO) continue;
    k = (k + mz) % mz;  // shorter than the two ifs above
    s[r][threadIdx.x] = f[(k * my + j) * mx + i];
  }
  __syncthreads();
  for (int r = threadIdx.y; r < LENGTH; r += ROWS) {
    if (i >= mx || k0 + r >= mz) continue;
    df[((k0 + r) * my + j) * mx + i] = stencil(&s[r + HALO][threadIdx.x]) / spacing;
  }
}

static int tiles(int n, int size) { return (n + size - 1) / size; }

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const dim3 block(PENCILS, ROWS);
  alongY<<<tiles(mx, PENCILS) * tiles(my, LENGTH) * mz, block>>>(f, df, mx, my, spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const dim3 block(PENCILS, ROWS);
  alongZ<<<tiles(mx, PENCILS) * tiles(mz, LENGTH) * my, block>>>(f, df, mx, my, mz, spacing);
}
