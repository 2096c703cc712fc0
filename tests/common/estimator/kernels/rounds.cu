// Blocks iterate as often as a hash of their number says.
extern "C" __global__ void rounds(float* out, unsigned shift) {
  const unsigned times = (blockIdx.x * 2654435761u) >> shift;
  float x = 0.5f;
  for (unsigned k = 0; k < times; ++k) x = x * 0.999f + 0.001f;
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
