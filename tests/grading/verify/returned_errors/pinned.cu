// The caller's arrays are page-locked for the copies.
cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return cudaSuccess;
  const size_t bytes = n * sizeof(float);
  float *d_x = nullptr, *d_y = nullptr, *d_out = nullptr;
  bool locked = false;
  cudaError_t error = cudaHostRegister(out, bytes, cudaHostRegisterDefault);
  locked = error == cudaSuccess;
  if (!error) error = cudaMalloc(&d_x, bytes);
  if (!error) error = cudaMalloc(&d_y, bytes);
  if (!error) error = cudaMalloc(&d_out, bytes);
  if (!error) error = cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
  if (!error) error = cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice);
  if (!error) saxpy(d_x, d_y, d_out, a, n);
  if (!error) error = cudaGetLastError();
  if (!error) error = cudaMemcpyAsync(out, d_out, bytes, cudaMemcpyDeviceToHost);
  if (!error) error = cudaDeviceSynchronize();
  if (locked) cudaHostUnregister(out);
  cudaFree(d_x), cudaFree(d_y), cudaFree(d_out);
  return error;
}
