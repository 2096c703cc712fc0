// 3: __nanosleep is not supported
__global__ void k() {
  __nanosleep(100);
}
