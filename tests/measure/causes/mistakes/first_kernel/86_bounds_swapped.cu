// CAUSE: The launch of the second kernel passes high before low, so every result is compared with the wrong bounds.
// LINES: 60
// REPAIR: line 60: `high, low, n` -> `low, high, n`
// SYMPTOM: Results of saxpy_clamped are wrong; saxpy and saxpy_from_host are right.

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
    clampedKernel<<<blocks, THREADS>>>(x, y, out, a, high, low, n);
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
        error = cudaGetLastError();
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
