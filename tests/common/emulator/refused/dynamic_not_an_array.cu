// 3: extern __shared__ must declare one array
__global__ void k() {
  extern __shared__ float x;
}
