// CAUSE: The sum is set to 0 once before the loop over the rows, so each point of a thread adds to the sum of the point eight rows above it.
// LINES: 54 60
// REPAIR: delete line 54: `float sum = 0.0f;`; before line 60: add `float sum = 0.0f;`
// SYMPTOM: The first eight rows of each tile are right, all others are too large or too small by what came before.

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

    float sum = 0.0f;
    for (int r = threadIdx.y; r < TY; r += ROWS)
    {
        int j = start + r;
        if (i < width && j < length)
        {
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
    launchPencils(f, df, mx * my, mz, 1, spacing);
}
