// CAUSE: clampedKernel is launched with high and low in the wrong order. And the launch's error goes into a second variable err inside the braces, which hides the one that is returned.
// LINES: 44, 61
// REPAIR: line 44: `clampedKernel<<<nBlocks, N_THREADS>>>(x, y, out, a, high, low, n);` -> `clampedKernel<<<nBlocks, N_THREADS>>>(x, y, out, a, low, high, n);`; line 61: `cudaError_t err = cudaGetLastError();` -> `err = cudaGetLastError();`
// SYMPTOM: saxpy_clamped stores low or high for every element (unless both are equal); when the launch in saxpy_from_host fails, the copy back still runs and cudaSuccess is returned.
#include <cstdio>

#include "first_kernel.h"

#define N_THREADS 128
#define TRY(call) do { if (err == cudaSuccess) err = (call); } while (0)

__device__ float clampValue(float v, float lo, float hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

__global__ void saxpyKernel(const float *x, const float *y, float *out, float a, int n)
{
    int idx = threadIdx.x + blockIdx.x * blockDim.x;
    if (idx < n)
        out[idx] = a * x[idx] + y[idx];
}

__global__ void clampedKernel(const float *x, const float *y, float *out, float a, float lo,
                              float hi, int n)
{
    int idx = threadIdx.x + blockIdx.x * blockDim.x;
    if (idx < n)
        out[idx] = clampValue(a * x[idx] + y[idx], lo, hi);
}

void saxpy(const float *x, const float *y, float *out, float a, int n)
{
    int nBlocks = (n + N_THREADS - 1) / N_THREADS;
    if (nBlocks > 0)
        saxpyKernel<<<nBlocks, N_THREADS>>>(x, y, out, a, n);
}

void saxpy_clamped(const float *x, const float *y, float *out, float a, float low, float high,
                   int n)
{
    int nBlocks = (n + N_THREADS - 1) / N_THREADS;
    if (nBlocks > 0)
        clampedKernel<<<nBlocks, N_THREADS>>>(x, y, out, a, high, low, n);
}

cudaError_t saxpy_from_host(const float *x, const float *y, float *out, float a, int n)
{
    cudaError_t err = cudaSuccess;
    float *xd = nullptr, *yd = nullptr, *outd = nullptr;
    size_t size = sizeof(float) * (size_t)n;

    TRY(cudaMalloc(&xd, size));
    TRY(cudaMalloc(&yd, size));
    TRY(cudaMalloc(&outd, size));
    TRY(cudaMemcpy(xd, x, size, cudaMemcpyHostToDevice));
    TRY(cudaMemcpy(yd, y, size, cudaMemcpyHostToDevice));

    if (err == cudaSuccess) {
        saxpy(xd, yd, outd, a, n);
        cudaError_t err = cudaGetLastError();
        if (err != cudaSuccess)
            fprintf(stderr, "saxpy: error %d\n", (int)err);
    }
    TRY(cudaMemcpy(out, outd, size, cudaMemcpyDeviceToHost));

    float *all[] = {xd, yd, outd};
    for (float *p : all) {
        cudaError_t e = cudaFree(p);
        TRY(e);
    }
    return err;
}
