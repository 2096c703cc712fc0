// CAUSE: For k = 0 the function returns without doing anything, but `c` has elements then, and they have to become 0.
// LINES: 37
// REPAIR: line 37: `if (m == 0 || n == 0 || k == 0)` -> `if (m == 0 || n == 0)`
// SYMPTOM: For k = 0, m > 0 and n > 0, `c` keeps what it held before; everything else is right.
#include "matmul.h"

#define TS 32

__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float mem[];
    float *As = mem;             // TS x TS
    float *Bs = mem + TS * TS;   // TS x TS

    int tx = threadIdx.x, ty = threadIdx.y;
    int i = blockIdx.y * TS + ty;
    int j = blockIdx.x * TS + tx;

    float acc = 0.f;
    for (int p = 0; p < K; p += TS) {
        As[ty * TS + tx] = (i < M && p + tx < K) ? A[i * K + p + tx] : 0.f;
        Bs[ty * TS + tx] = (p + ty < K && j < N) ? B[(p + ty) * N + j] : 0.f;
        __syncthreads();

#pragma unroll
        for (int q = 0; q < TS; q++)
            acc = fmaf(As[ty * TS + q], Bs[q * TS + tx], acc);
        __syncthreads();
    }

    if (i < M && j < N)
        C[i * N + j] = acc;
}

void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    if (m == 0 || n == 0 || k == 0)
        return;

    dim3 blk(TS, TS);
    dim3 grd((n + TS - 1) / TS, (m + TS - 1) / TS);
    size_t bytes = 2 * TS * TS * sizeof(float);
    mm<<<grd, blk, bytes>>>(a, b, c, m, n, k);
}
