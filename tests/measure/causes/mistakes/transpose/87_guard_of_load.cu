// CAUSE: The guard of the store is the one of the load with outRow and outCol put in: a row of the result is compared with rows instead of columns, and the other way around.
// LINES: 28
// REPAIR: line 28: `outRow < rows && outCol < columns` -> `outRow < columns && outCol < rows`
// SYMPTOM: In the last tiles of matrices that are not square, elements are missing or land out of bounds.

#include "transpose.h"

#define TILE 32

__global__ void turnOver(const float* in, float* out, int rows, int columns)
{
    __shared__ float piece[TILE][TILE + 1];

    int x = threadIdx.x;
    int y = threadIdx.y;

    int inRow = blockIdx.y * TILE + y;
    int inCol = blockIdx.x * TILE + x;
    if (inRow < rows && inCol < columns)
    {
        piece[y][x] = in[inRow * columns + inCol];
    }

    __syncthreads();

    int outRow = blockIdx.x * TILE + y;
    int outCol = blockIdx.y * TILE + x;
    if (outRow < rows && outCol < columns)
    {
        out[outRow * rows + outCol] = piece[x][y];
    }
}

void transpose(const float* in, float* out, int rows, int columns)
{
    if (rows == 0 || columns == 0)
    {
        return;
    }
    int tilesAcross = (columns + TILE - 1) / TILE;
    int tilesDown = (rows + TILE - 1) / TILE;
    dim3 blocks(tilesAcross, tilesDown);
    dim3 threads(TILE, TILE);
    turnOver<<<blocks, threads>>>(in, out, rows, columns);
}
