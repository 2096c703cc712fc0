// Pieces of the row go to an array, which a kernel reads by a surface object: each element twice.
// Lab: diff
// Verdict: graded
// Earns: correctness 40, safety 10, memory 10

#include "diff.h"
__global__ void by_surface(cudaSurfaceObject_t s, const int* in, int* out, int first, int count) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= count) return;
  const int own = surf1Dread<int>(s, k * 4);
  const int left = k ? surf1Dread<int>(s, (k - 1) * 4) : (first ? in[first - 1] : 0);
  out[first + k] = own - left;
}
void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  constexpr int most = 32768;
  cudaArray_t array;
  auto desc = cudaCreateChannelDesc<int>();
  cudaMallocArray(&array, &desc, most, 0, cudaArraySurfaceLoadStore);
  cudaResourceDesc res = {};
  res.resType = cudaResourceTypeArray;
  res.res.array.array = array;
  cudaSurfaceObject_t surface;
  cudaCreateSurfaceObject(&surface, &res);
  for (int first = 0; first < n; first += most) {
    const int count = n - first < most ? n - first : most;
    cudaMemcpy2DToArray(array, 0, 0, in + first, count * 4, count * 4, 1, cudaMemcpyDeviceToDevice);
    by_surface<<<(count + 255) / 256, 256>>>(surface, in, out, first, count);
  }
  cudaDeviceSynchronize();
  cudaDestroySurfaceObject(surface);
  cudaFreeArray(array);
}
