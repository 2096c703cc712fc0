// CAUSE: Nobody asks for the error of the launch in saxpy_from_host: a launch returns nothing, and the line with cudaGetLastError is missing.
// LINES: 94
// REPAIR: before line 94: add `error = cudaGetLastError();`
// SYMPTOM: If the launch fails, the function copies the result nevertheless and returns cudaSuccess or another call's error.

#include "first_kernel.h"

#define THREADS 256

__global__ void saxpyKernel(const float* x, const float* y, float* out, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
    {
        out[i] = a * x[i] + y[i];
    }
}

__device__ float keepWithin(float value, float low, float high)
{
    if (value < low)
    {
        return low;
    }
    if (value > high)
    {
        return high;
    }
    return value;
}

__global__ void clampedKernel(const float* x, const float* y, float* out, float a, float low,
                              float high, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
    {
        out[i] = keepWithin(a * x[i] + y[i], low, high);
    }
}

void saxpy(const float* x, const float* y, float* out, float a, int n)
{
    if (n == 0)
    {
        return;
    }
    int blocks = (n + THREADS - 1) / THREADS;
    saxpyKernel<<<blocks, THREADS>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n)
{
    if (n == 0)
    {
        return;
    }
    int blocks = (n + THREADS - 1) / THREADS;
    clampedKernel<<<blocks, THREADS>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n)
{
    if (n == 0)
    {
        return cudaSuccess;
    }
    size_t bytes = n * sizeof(float);
    float* xOnDevice = nullptr;
    float* yOnDevice = nullptr;
    float* outOnDevice = nullptr;

    cudaError_t error = cudaMalloc(&xOnDevice, bytes);
    if (error == cudaSuccess)
    {
        error = cudaMalloc(&yOnDevice, bytes);
    }
    if (error == cudaSuccess)
    {
        error = cudaMalloc(&outOnDevice, bytes);
    }
    if (error == cudaSuccess)
    {
        error = cudaMemcpy(xOnDevice, x, bytes, cudaMemcpyHostToDevice);
    }
    if (error == cudaSuccess)
    {
        error = cudaMemcpy(yOnDevice, y, bytes, cudaMemcpyHostToDevice);
    }
    if (error == cudaSuccess)
    {
        saxpy(xOnDevice, yOnDevice, outOnDevice, a, n);
    }
    if (error == cudaSuccess)
    {
        error = cudaMemcpy(out, outOnDevice, bytes, cudaMemcpyDeviceToHost);
    }

    cudaFree(xOnDevice);
    cudaFree(yOnDevice);
    cudaFree(outOnDevice);
    return error;
}
