// CAUSE: saxpy_from_host fills the device array of y from x: the line was copied from the one above, and only the destination was changed.
// LINES: 65
// REPAIR: line 65: `err = cudaMemcpy(dy, x, bytes, cudaMemcpyHostToDevice);` -> `err = cudaMemcpy(dy, y, bytes, cudaMemcpyHostToDevice);`
// SYMPTOM: saxpy and saxpy_clamped are right; saxpy_from_host returns a * x[i] + x[i] for every element.
#include "first_kernel.h"

#define THREADS 256

__global__ void saxpyKernel(const float *x, const float *y, float *out, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a * x[i] + y[i];
}

__device__ float clampTo(float v, float low, float high)
{
    if (v < low)
        return low;
    if (v > high)
        return high;
    return v;
}

__global__ void clampedKernel(const float *x, const float *y, float *out, float a, float low,
                              float high, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = clampTo(a * x[i] + y[i], low, high);
}

void saxpy(const float *x, const float *y, float *out, float a, int n)
{
    if (n == 0)
        return;
    int blocks = (n + THREADS - 1) / THREADS;
    saxpyKernel<<<blocks, THREADS>>>(x, y, out, a, n);
}

void saxpy_clamped(const float *x, const float *y, float *out, float a, float low, float high,
                   int n)
{
    if (n == 0)
        return;
    int blocks = (n + THREADS - 1) / THREADS;
    clampedKernel<<<blocks, THREADS>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float *x, const float *y, float *out, float a, int n)
{
    float *dx = nullptr, *dy = nullptr, *dout = nullptr;
    size_t bytes = n * sizeof(float);
    cudaError_t err, freed;

    err = cudaMalloc(&dx, bytes);
    if (err != cudaSuccess) goto done;
    err = cudaMalloc(&dy, bytes);
    if (err != cudaSuccess) goto done;
    err = cudaMalloc(&dout, bytes);
    if (err != cudaSuccess) goto done;

    err = cudaMemcpy(dx, x, bytes, cudaMemcpyHostToDevice);
    if (err != cudaSuccess) goto done;
    err = cudaMemcpy(dy, x, bytes, cudaMemcpyHostToDevice);
    if (err != cudaSuccess) goto done;

    saxpy(dx, dy, dout, a, n);
    err = cudaGetLastError();
    if (err != cudaSuccess) goto done;

    err = cudaMemcpy(out, dout, bytes, cudaMemcpyDeviceToHost);

done:
    freed = cudaFree(dx);
    if (err == cudaSuccess) err = freed;
    freed = cudaFree(dy);
    if (err == cudaSuccess) err = freed;
    freed = cudaFree(dout);
    if (err == cudaSuccess) err = freed;
    return err;
}
