// The kernel of NVIDIA's sample "nbody" behind a plain C function. The sample's own source, which
// also draws, is found with -I; of OpenGL it needs no more than names.

#define __CUDA_GL_INTEROP_H__
struct cudaGraphicsResource;

#include "bodysystemcuda.cu"

extern "C" int run_nbody_sample(float* position, float* next, float* velocity, int n, int block) {
  const int grid = (n + block - 1) / block;
  integrateBodies<float><<<grid, block, block * sizeof(float4)>>>(
      reinterpret_cast<float4*>(next), reinterpret_cast<float4*>(position),
      reinterpret_cast<float4*>(velocity), 0, n, 0.001f, 1.0f, grid);
  return cudaPeekAtLastError();
}
