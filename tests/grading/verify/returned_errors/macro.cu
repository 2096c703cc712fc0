// A macro that frees what there is and returns.
#define CHECK(call)               \
  do {                            \
    cudaError_t status = (call);  \
    if (status != cudaSuccess) {  \
      if (d_x) cudaFree(d_x);     \
      if (d_y) cudaFree(d_y);     \
      if (d_out) cudaFree(d_out); \
      return status;              \
    }                             \
  } while (0)

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  float *d_x = nullptr, *d_y = nullptr, *d_out = nullptr;
  if (n <= 0) return cudaSuccess;
  cudaFree(nullptr);  // starts the device
  const size_t bytes = sizeof(float) * n;
  CHECK(cudaSetDevice(0));
  CHECK(cudaMalloc(&d_x, bytes));
  CHECK(cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMalloc(&d_y, bytes));
  CHECK(cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMalloc(&d_out, bytes));
  CHECK(cudaMemset(d_out, 0, bytes));
  saxpy_kernel<<<(n + 127) / 128, 128>>>(d_x, d_y, d_out, a, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_x));
  d_x = nullptr;
  CHECK(cudaFree(d_y));
  d_y = nullptr;
  return cudaFree(d_out);
}
