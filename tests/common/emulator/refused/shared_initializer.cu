// 3: a __shared__ variable cannot have an initializer
__global__ void k() {
  __shared__ int x = 0;
}
