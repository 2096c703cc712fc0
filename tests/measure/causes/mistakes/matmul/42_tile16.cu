// CAUSE: The number of tiles along k is rounded down, so what is left of k after the last whole tile of 16 is never added. And the guard of the store joins its two tests with || instead of &&.
// LINES: 17, 42
// REPAIR: line 17: `int numTiles = k / TILE;` -> `int numTiles = (k + TILE - 1) / TILE;`; line 42: `if (row < m || col < n)` -> `if (row < m && col < n)`
// SYMPTOM: Wrong sums unless k is a multiple of 16 (all zeros for k < 16); stores outside `c` or into the next row unless m and n are multiples of 16.
#include "matmul.h"

#define TILE 16

__global__ void multiply(const float *A, const float *B, float *C, int m, int n, int k)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    int numTiles = k / TILE;

    float value = 0.0f;
    for (int t = 0; t < numTiles; t++) {
        int aCol = t * TILE + tx;
        int bRow = t * TILE + ty;

        if (row < m && aCol < k)
            As[ty][tx] = A[row * k + aCol];
        else
            As[ty][tx] = 0.0f;

        if (bRow < k && col < n)
            Bs[ty][tx] = B[bRow * n + col];
        else
            Bs[ty][tx] = 0.0f;

        __syncthreads();

        for (int j = 0; j < TILE; j++)
            value += As[ty][j] * Bs[j][tx];

        __syncthreads();
    }

    if (row < m || col < n)
        C[row * n + col] = value;
}

void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    if (m <= 0 || n <= 0)
        return;
    dim3 threads(TILE, TILE);
    dim3 blocks((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    multiply<<<blocks, threads>>>(a, b, c, m, n, k);
}
