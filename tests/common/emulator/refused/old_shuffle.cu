// 3: __shfl_down is not supported
__global__ void k(int* p) {
  *p = __shfl_down(*p, 1);
}
