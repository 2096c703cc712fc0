// CAUSE: The store's guard is that of the load: after r and c were given new values they count rows and columns of `out`, which has `cols` rows and `rows` columns.
// LINES: 23
// REPAIR: line 23: `if (r < rows && c < cols)` -> `if (r < cols && c < rows)`
// SYMPTOM: Square matrices are right; in others elements of `out` are missing, and where the last tiles are partial, some stores go past its end.
#include "transpose.h"

#define T 32

__global__ void transposeTile(const float *in, float *out, int rows, int cols)
{
    __shared__ float s[T][T + 1];

    int c = blockIdx.x * T + threadIdx.x;
    int r = blockIdx.y * T + threadIdx.y;
    if (r < rows && c < cols)
        s[threadIdx.y][threadIdx.x] = in[r * cols + c];

    __syncthreads();

    // now r and c belong to the output
    c = blockIdx.y * T + threadIdx.x;
    r = blockIdx.x * T + threadIdx.y;
    if (r < rows && c < cols)
        out[r * rows + c] = s[threadIdx.x][threadIdx.y];
}

void transpose(const float *in, float *out, int rows, int columns)
{
    if (rows == 0 || columns == 0)
        return;
    dim3 threads(T, T);
    dim3 blocks((columns + T - 1) / T, (rows + T - 1) / T);
    transposeTile<<<blocks, threads>>>(in, out, rows, columns);
}
