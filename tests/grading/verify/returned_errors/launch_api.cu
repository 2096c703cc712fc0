// A launch that returns its error, and one allocation for all.
cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n < 1) return cudaSuccess;
  float* all;
  const size_t bytes = n * sizeof(float);
  cudaError_t error = cudaMalloc(&all, 3 * bytes);
  if (error != cudaSuccess) return error;
  const float *d_x = all, *d_y = all + n;
  float* d_out = all + 2 * n;
  auto steps = [&] {
    cudaError_t failed = cudaMemcpy(all, x, bytes, cudaMemcpyHostToDevice);
    if (failed == cudaSuccess) failed = cudaMemcpy(all + n, y, bytes, cudaMemcpyHostToDevice);
    void* arguments[] = {&d_x, &d_y, &d_out, &a, &n};
    if (failed == cudaSuccess) {
      failed = cudaLaunchKernel(saxpy_kernel, dim3((n + 255) / 256), dim3(256), arguments, 0, 0);
    }
    if (failed == cudaSuccess) failed = cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);
    return failed;
  };
  error = steps();
  const cudaError_t freed = cudaFree(all);
  return error != cudaSuccess ? error : freed;
}
