// CAUSE: The launch is skipped if k is 0, too, but then all sums are empty and c still has to be filled with zeros. Only an empty c means that there is nothing to do.
// LINES: 60
// REPAIR: line 60: `m == 0 || n == 0 || k == 0` -> `m == 0 || n == 0`
// SYMPTOM: With k = 0 the function returns without writing c.

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
        else
        {
            tileB[ty][tx] = 0.0f;
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
    if (m == 0 || n == 0 || k == 0)
    {
        return;
    }
    dim3 threads(TILE_SIZE, TILE_SIZE);
    int tilesAcross = (n + TILE_SIZE - 1) / TILE_SIZE;
    int tilesDown = (m + TILE_SIZE - 1) / TILE_SIZE;
    dim3 blocks(tilesAcross, tilesDown);
    multiplyTiles<<<blocks, threads>>>(a, b, c, m, n, k);
}
