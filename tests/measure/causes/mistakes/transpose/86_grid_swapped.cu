// CAUSE: The grid has its tiles across in y and its tiles down in x, but the kernel takes the column from blockIdx.x and the row from blockIdx.y.
// LINES: 42
// REPAIR: line 42: `tilesDown, tilesAcross` -> `tilesAcross, tilesDown`
// SYMPTOM: If the matrix needs different numbers of tiles across and down, part of the result is not written.

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
    if (outRow < columns && outCol < rows)
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
    dim3 blocks(tilesDown, tilesAcross);
    dim3 threads(TILE, TILE);
    turnOver<<<blocks, threads>>>(in, out, rows, columns);
}
