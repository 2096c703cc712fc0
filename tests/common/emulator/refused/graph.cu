// 3: cudaGraphLaunch is not supported
void f() {
  cudaGraphLaunch(0, 0);
}
