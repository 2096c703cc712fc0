// CAUSE: The grid of blocks is three-dimensional, with the planes in its z direction and the tiles along the axis in y, but a grid has at most 65535 blocks in each of these.
// LINES: 23, 24, 25, 53, 59
// REPAIR: line 23: `int i = blockIdx.x * WX + threadIdx.x;` -> `int i = blockIdx.x % parts(mx, WX) * WX + threadIdx.x;`; line 24: `int j0 = blockIdx.y * WY;` -> `int j0 = blockIdx.x / parts(mx, WX) % parts(m, WY) * WY;`; line 25: `int start = blockIdx.z * planeStride + i;` -> `int start = blockIdx.x / parts(mx, WX) / parts(m, WY) * planeStride + i;`; line 53: `dim3 grid(parts(mx, WX), parts(my, WY), mz);` -> `dim3 grid(parts(mx, WX) * parts(my, WY) * mz);`; line 59: `dim3 grid(parts(mx, WX), parts(mz, WY), my);` -> `dim3 grid(parts(mx, WX) * parts(mz, WY) * my);`
// SYMPTOM: The launch fails (invalid configuration) and nothing is written if mz > 65535 along y, my > 65535 along z, or an axis has more than 65535 tiles; else right.
#include "derivatives.h"

#define R 4
#define WX 32
#define WY 64
#define BY 8

__host__ __device__ int parts(int n, int size)
{
    return (n + size - 1) / size;
}

// Along an axis with m points that are `stride` apart; planes are `planeStride` apart.
__global__ void axisKernel(const float *f, float *df, int mx, int m, int stride, int planeStride,
                           float scale)
{
    __shared__ float s[R + WY + R][WX];

    int i = blockIdx.x * WX + threadIdx.x;
    int j0 = blockIdx.y * WY;
    int start = blockIdx.z * planeStride + i;

    for (int r = threadIdx.y; r < R + WY + R; r += BY) {
        int j = j0 + r - R;
        if (i < mx && j < m + R) {
            if (j < 0)
                j += m - 1;
            if (j >= m)
                j -= m - 1;
            s[r][threadIdx.x] = f[start + j * stride];
        }
    }
    __syncthreads();

    for (int r = threadIdx.y; r < WY; r += BY) {
        int j = j0 + r;
        if (i < mx && j < m) {
            float *c = &s[r + R][threadIdx.x];
            df[start + j * stride] = (0.8f * (c[WX] - c[-WX])
                                    - 0.2f * (c[2 * WX] - c[-2 * WX])
                                    + 4.0f / 105.0f * (c[3 * WX] - c[-3 * WX])
                                    - 1.0f / 280.0f * (c[4 * WX] - c[-4 * WX])) * scale;
        }
    }
}

void derivative_y(const float *f, float *df, int mx, int my, int mz, float spacing)
{
    dim3 grid(parts(mx, WX), parts(my, WY), mz);
    axisKernel<<<grid, dim3(WX, BY)>>>(f, df, mx, my, mx, mx * my, 1.0f / spacing);
}

void derivative_z(const float *f, float *df, int mx, int my, int mz, float spacing)
{
    dim3 grid(parts(mx, WX), parts(mz, WY), my);
    axisKernel<<<grid, dim3(WX, BY)>>>(f, df, mx, mz, mx * my, mx, 1.0f / spacing);
}
