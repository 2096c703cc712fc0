// CAUSE: In derivZ the loop that loads the tile ends after 64 rows, but the tile has 72: the last eight slots, with the upper halo, stay empty.
// LINES: 62
// REPAIR: line 62: `for (int r = threadIdx.y; r < TY; r += ROWS) {` -> `for (int r = threadIdx.y; r < TY + 2 * H; r += ROWS) {`
// SYMPTOM: derivative_y is right; derivative_z reads slots that nobody wrote, and points of the last eight rows of each 64-row tile are wrong.
#include "derivatives.h"

#define H 4
#define TX 32
#define TY 64
#define ROWS 8

__device__ int periodic(int p, int m)
{
    if (p < 0)
        p += m - 1;
    else if (p > m - 1)
        p -= m - 1;
    return p;
}

// Derivative at row r of the tile (without halo), column x.
__device__ float stencil(float s[TY + 2 * H][TX], int r, int x, float scale)
{
    int c = r + H;
    return scale * (4.0f / 5.0f * (s[c + 1][x] - s[c - 1][x])
                  - 1.0f / 5.0f * (s[c + 2][x] - s[c - 2][x])
                  + 4.0f / 105.0f * (s[c + 3][x] - s[c - 3][x])
                  - 1.0f / 280.0f * (s[c + 4][x] - s[c - 4][x]));
}

__global__ void derivY(const float *f, float *df, int mx, int my, int mz, float scale)
{
    __shared__ float s[TY + 2 * H][TX];
    int nx = (mx + TX - 1) / TX, ny = (my + TY - 1) / TY;
    int b = blockIdx.x;
    int i = (b % nx) * TX + threadIdx.x;
    int j0 = (b / nx) % ny * TY;
    int k = b / (nx * ny);

    for (int r = threadIdx.y; r < TY + 2 * H; r += ROWS) {
        int j = j0 + r - H;
        if (i < mx && j < my + H)
            s[r][threadIdx.x] = f[(k * my + periodic(j, my)) * mx + i];
    }
    __syncthreads();
    for (int r = threadIdx.y; r < TY; r += ROWS) {
        int j = j0 + r;
        if (i < mx && j < my)
            df[(k * my + j) * mx + i] = stencil(s, r, threadIdx.x, scale);
    }
}

__global__ void derivZ(const float *f, float *df, int mx, int my, int mz, float scale)
{
    __shared__ float s[TY + 2 * H][TX];
    int nx = (mx + TX - 1) / TX, nz = (mz + TY - 1) / TY;
    int b = blockIdx.x;
    int i = (b % nx) * TX + threadIdx.x;
    int k0 = (b / nx) % nz * TY;
    int j = b / (nx * nz);

    for (int r = threadIdx.y; r < TY; r += ROWS) {
        int k = k0 + r - H;
        if (i < mx && k < mz + H)
            s[r][threadIdx.x] = f[(periodic(k, mz) * my + j) * mx + i];
    }
    __syncthreads();
    for (int r = threadIdx.y; r < TY; r += ROWS) {
        int k = k0 + r;
        if (i < mx && k < mz)
            df[(k * my + j) * mx + i] = stencil(s, r, threadIdx.x, scale);
    }
}

void derivative_y(const float *f, float *df, int mx, int my, int mz, float spacing)
{
    int blocks = (mx + TX - 1) / TX * ((my + TY - 1) / TY) * mz;
    derivY<<<blocks, dim3(TX, ROWS)>>>(f, df, mx, my, mz, 1.0f / spacing);
}

void derivative_z(const float *f, float *df, int mx, int my, int mz, float spacing)
{
    int blocks = (mx + TX - 1) / TX * ((mz + TY - 1) / TY) * my;
    derivZ<<<blocks, dim3(TX, ROWS)>>>(f, df, mx, my, mz, 1.0f / spacing);
}
