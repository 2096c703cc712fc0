// 4: a kernel launch's `<<<` needs `>>>(arguments)`
__global__ void k() {}
void f() {
  k<<<1, 1>>;
}
