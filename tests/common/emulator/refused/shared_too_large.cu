// 3: larger than the 48 KiB
__global__ void k(float* p) {
  __shared__ float x[12289];
  p[0] = x[0];
}
