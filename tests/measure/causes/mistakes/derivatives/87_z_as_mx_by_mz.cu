// CAUSE: derivative_z calls the launcher with planes of mx by mz points, as if neighbors along z were mx apart. Along z the neighbors are mx * my apart, so the width has to be mx * my, with a single plane.
// LINES: 86
// REPAIR: line 86: `mx, mz, my, spacing` -> `mx * my, mz, 1, spacing`
// SYMPTOM: derivative_z takes neighbors along the wrong line; derivative_y is right.

#include "derivatives.h"

#define HALO 4
#define TX 32
#define TY 64
#define ROWS 8

__constant__ float coef[HALO + 1] = {0.0f, 4.0f / 5.0f, -1.0f / 5.0f, 4.0f / 105.0f,
                                     -1.0f / 280.0f};

__device__ int wrapAround(int p, int m)
{
    if (p < 0)
    {
        p = p + (m - 1);
    }
    else if (p >= m)
    {
        p = p - (m - 1);
    }
    return p;
}

__global__ void pencilKernel(const float* f, float* df, int width, int length, float inverse)
{
    __shared__ float s[TY + 2 * HALO][TX];

    int tilesX = (width + TX - 1) / TX;
    int tilesY = (length + TY - 1) / TY;
    int tileX = blockIdx.x % tilesX;
    int tileY = (blockIdx.x / tilesX) % tilesY;
    int plane = blockIdx.x / (tilesX * tilesY);

    int tx = threadIdx.x;
    int i = tileX * TX + tx;
    int start = tileY * TY;

    for (int r = threadIdx.y; r < TY + 2 * HALO; r += ROWS)
    {
        int place = start + r - HALO;
        if (i < width && place < length + HALO)
        {
            int j = wrapAround(place, length);
            s[r][tx] = f[(plane * length + j) * width + i];
        }
    }
    __syncthreads();

    for (int r = threadIdx.y; r < TY; r += ROWS)
    {
        int j = start + r;
        if (i < width && j < length)
        {
            float sum = 0.0f;
            for (int d = 1; d <= HALO; d++)
            {
                float above = s[r + HALO + d][tx];
                float below = s[r + HALO - d][tx];
                sum = sum + coef[d] * (above - below);
            }
            df[(plane * length + j) * width + i] = sum * inverse;
        }
    }
}

void launchPencils(const float* f, float* df, int width, int length, int planes, float spacing)
{
    int tilesX = (width + TX - 1) / TX;
    int tilesY = (length + TY - 1) / TY;
    dim3 threads(TX, ROWS);
    pencilKernel<<<tilesX * tilesY * planes, threads>>>(f, df, width, length, 1.0f / spacing);
}

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing)
{
    launchPencils(f, df, mx, my, mz, spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing)
{
    launchPencils(f, df, mx, mz, my, spacing);
}
