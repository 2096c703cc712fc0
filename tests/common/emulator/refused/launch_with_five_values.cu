// 4: a kernel launch takes at most `<<<blocks, threads per block, bytes of shared memory, stream>>>`
__global__ void k() {}
void f() {
  k<<<1, dim3(8, 4, 1), 0, 0, 7>>>();
}
