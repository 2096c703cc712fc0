// 4: a kernel launch needs `<<<blocks, threads per block>>>`
__global__ void k() {}
void f() {
  k<<<>>>();
}
