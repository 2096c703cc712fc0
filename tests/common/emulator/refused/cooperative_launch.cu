// 3: the emulator needs the kernel itself
void f(void* k) {
  cudaLaunchCooperativeKernel(k, 1, 1, nullptr, 0, nullptr);
}
