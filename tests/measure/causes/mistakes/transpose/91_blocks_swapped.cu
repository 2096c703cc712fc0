// CAUSE: The grid has the blocks for the rows in x and those for the columns in y, but the kernel counts columns in x and rows in y. The two have to be swapped.
// LINES: 45
// REPAIR: line 45: `dim3 blocks(tilesDown, tilesAcross);` -> `dim3 blocks(tilesAcross, tilesDown);`
// SYMPTOM: For matrices with more or fewer tiles across than down, part of out is never written; squares are right.

#include "transpose.h"

#define TILE 32

__global__ void transposeKernel(const float* in, float* out, int rows, int columns)
{
    __shared__ float tile[TILE][TILE + 1];

    int tileX = threadIdx.x;
    int tileY = threadIdx.y;

    int column = blockIdx.x * TILE + tileX;
    int row = blockIdx.y * TILE + tileY;
    if (column < columns && row < rows)
    {
        tile[tileY][tileX] = in[row * columns + column];
    }

    __syncthreads();

    int newColumn = blockIdx.y * TILE + tileX;
    int newRow = blockIdx.x * TILE + tileY;
    if (newColumn < rows && newRow < columns)
    {
        out[newRow * rows + newColumn] = tile[tileX][tileY];
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

    dim3 threads(TILE, TILE);
    dim3 blocks(tilesDown, tilesAcross);

    transposeKernel<<<blocks, threads>>>(in, out, rows, columns);
}
