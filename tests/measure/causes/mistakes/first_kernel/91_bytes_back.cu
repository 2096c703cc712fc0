// CAUSE: The last argument for the size of cudaMemcpy is a number of bytes. The copy back passes the number of elements, so only a quarter of the result arrives.
// LINES: 92
// REPAIR: line 92: `err = cudaMemcpy(out, d_out, n, cudaMemcpyDeviceToHost);` -> `err = cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);`
// SYMPTOM: saxpy_from_host leaves the last three quarters of out as they were.

#include "first_kernel.h"

__global__ void saxpyKernel(const float* x, const float* y, float* out, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
    {
        out[i] = a * x[i] + y[i];
    }
}

__device__ float clampValue(float value, float low, float high)
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
        out[i] = clampValue(a * x[i] + y[i], low, high);
    }
}

void saxpy(const float* x, const float* y, float* out, float a, int n)
{
    if (n > 0)
    {
        int threads = 256;
        int blocks = (n + threads - 1) / threads;
        saxpyKernel<<<blocks, threads>>>(x, y, out, a, n);
    }
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n)
{
    if (n > 0)
    {
        int threads = 256;
        int blocks = (n + threads - 1) / threads;
        clampedKernel<<<blocks, threads>>>(x, y, out, a, low, high, n);
    }
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n)
{
    float* d_x = nullptr;
    float* d_y = nullptr;
    float* d_out = nullptr;
    size_t bytes = n * sizeof(float);

    cudaError_t err = cudaMalloc(&d_x, bytes);
    if (err == cudaSuccess)
    {
        err = cudaMalloc(&d_y, bytes);
    }
    if (err == cudaSuccess)
    {
        err = cudaMalloc(&d_out, bytes);
    }
    if (err == cudaSuccess)
    {
        err = cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
    }
    if (err == cudaSuccess)
    {
        err = cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice);
    }
    if (err == cudaSuccess)
    {
        saxpy(d_x, d_y, d_out, a, n);
        err = cudaGetLastError();
    }
    if (err == cudaSuccess)
    {
        err = cudaMemcpy(out, d_out, n, cudaMemcpyDeviceToHost);
    }

    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_out);
    return err;
}
