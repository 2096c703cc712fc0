// 3: inline assembly (PTX) is not supported
__global__ void k(int* p) {
  asm("mov.u32 %0, %%laneid;" : "=r"(*p));
}
