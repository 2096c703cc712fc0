// 3: a local variable cannot be __constant__
__global__ void kernel(float* out) {
  __constant__ float weights[3];
  *out = weights[threadIdx.x];
}
