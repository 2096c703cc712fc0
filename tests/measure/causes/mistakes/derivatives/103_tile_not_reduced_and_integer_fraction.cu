// CAUSE: (1) 4 / 105 is a division of integers: the third coefficient is 0. (2) The number of the tile along the axis is not taken modulo the tiles along the axis, so it grows on from plane to plane.
// LINES: 16 41
// REPAIR: line 16: `__constant__ float coeff[H + 1] = {0, 4 / 5.0f, -1 / 5.0f, 4 / 105, -1 / 280.0f};` -> `__constant__ float coeff[H + 1] = {0, 4 / 5.0f, -1 / 5.0f, 4 / 105.0f, -1 / 280.0f};`; line 41: `const int j0 = blockIdx.x / nx * TY;` -> `const int j0 = blockIdx.x / nx % nj * TY;`
// SYMPTOM: (1) All derivatives are slightly wrong. (2) All planes but the first are not written, or blocks write outside.

#include "derivatives.h"

namespace {

const int H = 4;
const int BX = 32;
const int BY = 16;
const int PER_THREAD = 2;
const int TY = BY * PER_THREAD;

__constant__ float coeff[H + 1] = {0, 4 / 5.0f, -1 / 5.0f, 4 / 105, -1 / 280.0f};

__device__ int wrapped(int j, int m)
{
    if (j < 0)
        j += m - 1;
    else if (j > m - 1)
        j -= m - 1;
    return j;
}

struct Layout {
    int m;       // points along the axis
    int stride;  // between two of them
    int plane;   // between two planes
    int planes;
};

__global__ void derive(const float *f, float *df, int mx, Layout l, float scale)
{
    __shared__ float s[TY + 2 * H][BX];
    const int nx = (mx + BX - 1) / BX;
    const int nj = (l.m + TY - 1) / TY;
    const int tx = threadIdx.x;
    const int i = blockIdx.x % nx * BX + tx;
    const int j0 = blockIdx.x / nx * TY;
    const int k = blockIdx.x / nx / nj;
    const bool column = i < mx;
    const float *from = f + (size_t)k * l.plane + i;

    for (int r = threadIdx.y; r < TY + 2 * H; r += BY) {
        const int j = j0 + r - H;
        if (column && j < l.m + H)
            s[r][tx] = from[(size_t)wrapped(j, l.m) * l.stride];
    }
    __syncthreads();

    for (int q = 0; q < PER_THREAD; ++q) {
        const int r = threadIdx.y + q * BY;
        const int j = j0 + r;
        if (!column || j >= l.m)
            break;
        const int c = r + H;
        float sum = coeff[1] * (s[c + 1][tx] - s[c - 1][tx]);
        sum += coeff[2] * (s[c + 2][tx] - s[c - 2][tx]);
        sum += coeff[3] * (s[c + 3][tx] - s[c - 3][tx]);
        sum += coeff[4] * (s[c + 4][tx] - s[c - 4][tx]);
        df[(size_t)k * l.plane + (size_t)j * l.stride + i] = sum * scale;
    }
}

void start(const float *f, float *df, int mx, Layout l, float spacing)
{
    const int tiles = (mx + BX - 1) / BX * ((l.m + TY - 1) / TY) * l.planes;
    derive<<<tiles, dim3(BX, BY)>>>(f, df, mx, l, 1.0f / spacing);
}

}  // namespace

void derivative_y(const float *f, float *df, int mx, int my, int mz, float spacing)
{
    start(f, df, mx, Layout{my, mx, mx * my, mz}, spacing);
}

void derivative_z(const float *f, float *df, int mx, int my, int mz, float spacing)
{
    start(f, df, mx, Layout{mz, mx * my, mx, my}, spacing);
}
