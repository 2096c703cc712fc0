// 3: cudaLaunchCooperativeKernel is not supported
void f(void* k) {
  cudaLaunchCooperativeKernel(k, 1, 1, nullptr, 0, nullptr);
}
