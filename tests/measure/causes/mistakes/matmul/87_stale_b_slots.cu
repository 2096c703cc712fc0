// CAUSE: Only the tile of a is filled with zeros past the end of the matrix; slots of b's tile without an element keep what they held before, or nothing at all. 0 times such a number is not 0 if it is infinite or NaN, and the slot is read without having been written.
// LINES: 39
// REPAIR: before line 39: add `else`; before line 39: add `{`; before line 39: add `tileB[ty][tx] = 0.0f;`; before line 39: add `}`
// SYMPTOM: Uninitialized reads of the tile of b in the last tile, and NaN where the old contents are infinite.

#include "matmul.h"

#define TILE_SIZE 32

__global__ void multiplyTiles(const float* a, const float* b, float* c, int m, int n, int k)
{
    __shared__ float tileA[TILE_SIZE][TILE_SIZE];
    __shared__ float tileB[TILE_SIZE][TILE_SIZE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * blockDim.y + ty;
    int col = blockIdx.x * blockDim.x + tx;
    float total = 0.0f;

    int numTiles = (k + TILE_SIZE - 1) / TILE_SIZE;
    for (int t = 0; t < numTiles; t++)
    {
        int aCol = t * TILE_SIZE + tx;
        int bRow = t * TILE_SIZE + ty;

        if (row < m && aCol < k)
        {
            tileA[ty][tx] = a[row * k + aCol];
        }
        else
        {
            tileA[ty][tx] = 0.0f;
        }
        if (bRow < k && col < n)
        {
            tileB[ty][tx] = b[bRow * n + col];
        }
        __syncthreads();

        for (int i = 0; i < TILE_SIZE; i++)
        {
            total = total + tileA[ty][i] * tileB[i][tx];
        }
        __syncthreads();
    }

    if (row < m && col < n)
    {
        c[row * n + col] = total;
    }
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k)
{
    if (m == 0 || n == 0)
    {
        return;
    }
    dim3 threads(TILE_SIZE, TILE_SIZE);
    int tilesAcross = (n + TILE_SIZE - 1) / TILE_SIZE;
    int tilesDown = (m + TILE_SIZE - 1) / TILE_SIZE;
    dim3 blocks(tilesAcross, tilesDown);
    multiplyTiles<<<blocks, threads>>>(a, b, c, m, n, k);
}
