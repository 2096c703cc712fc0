// 7: extern_shared_tile
__global__ void first(int* out) {
  extern __shared__ int tile[];
  *out = tile[0];
}
__global__ void second(float* out) {
  extern __shared__ float tile[];
  *out = tile[0];
}
