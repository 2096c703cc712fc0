// 4: a kernel launch needs `>>>(arguments)` after its `<<<`
__global__ void k() {}
void f() {
  k<<<1, 1>>;
}
