// One way out, by goto.
cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  float *d_x = nullptr, *d_y = nullptr, *d_out = nullptr;
  const size_t bytes = n * sizeof(float);
  cudaError_t error;
  if ((error = cudaMalloc(&d_x, bytes)) != cudaSuccess) goto cleanup;
  if ((error = cudaMalloc(&d_y, bytes)) != cudaSuccess) goto cleanup;
  if ((error = cudaMalloc(&d_out, bytes)) != cudaSuccess) goto cleanup;
  if ((error = cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice)) != cudaSuccess) goto cleanup;
  if ((error = cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice)) != cudaSuccess) goto cleanup;
  saxpy(d_x, d_y, d_out, a, n);
  if ((error = cudaPeekAtLastError()) != cudaSuccess) goto cleanup;
  if ((error = cudaDeviceSynchronize()) != cudaSuccess) goto cleanup;
  error = cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);
cleanup:
  cudaFree(d_out);
  cudaFree(d_y);
  cudaFree(d_x);
  return error;
}
