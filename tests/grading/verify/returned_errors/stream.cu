// A stream with its own allocations, and copies that are asynchronous.
cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  cudaStream_t stream = nullptr;
  float *d_x = nullptr, *d_y = nullptr, *d_out = nullptr;
  const size_t bytes = n * sizeof(float);
  cudaError_t error = cudaStreamCreate(&stream);
  if (!error) error = cudaMallocAsync(&d_x, bytes, stream);
  if (!error) error = cudaMallocAsync(&d_y, bytes, stream);
  if (!error) error = cudaMallocAsync(&d_out, bytes, stream);
  if (!error) error = cudaMemcpyAsync(d_x, x, bytes, cudaMemcpyHostToDevice, stream);
  if (!error) error = cudaMemcpyAsync(d_y, y, bytes, cudaMemcpyHostToDevice, stream);
  if (!error && n > 0) {
    saxpy_kernel<<<(n + 255) / 256, 256, 0, stream>>>(d_x, d_y, d_out, a, n);
    error = cudaGetLastError();
  }
  if (!error) error = cudaMemcpyAsync(out, d_out, bytes, cudaMemcpyDeviceToHost, stream);
  if (!error) error = cudaStreamSynchronize(stream);
  if (d_x) cudaFreeAsync(d_x, stream);
  if (d_y) cudaFreeAsync(d_y, stream);
  if (d_out) cudaFreeAsync(d_out, stream);
  if (stream) cudaStreamDestroy(stream);
  return error;
}
